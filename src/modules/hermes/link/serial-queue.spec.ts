// SPDX-License-Identifier: Apache-2.0
import { SerialQueue } from './serial-queue.js';

describe('[HST-10] the serial queue', () => {
  it('[HST-10] runs one task at a time, in order, and goes on after a failing one', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const gate = Promise.withResolvers<string>();
    const first = queue.run(async () => {
      order.push('first');
      return gate.promise;
    });
    const second = queue.run(() => {
      order.push('second');
      return Promise.reject(new Error('second fails'));
    });
    const third = queue.run(() => {
      order.push('third');
      return Promise.resolve('third');
    });
    const refused = expect(second).rejects.toThrow('second fails');
    await Promise.resolve();
    expect(order).toEqual(['first']);
    gate.resolve('first');
    expect(await first).toBe('first');
    await refused;
    expect(await third).toBe('third');
    await queue.idle();
    expect(order).toEqual(['first', 'second', 'third']);
  });
});
