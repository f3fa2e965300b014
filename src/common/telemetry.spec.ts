// SPDX-License-Identifier: Apache-2.0
import { Telemetry } from './telemetry.js';

describe('Telemetry', () => {
  it('calls its listeners in order until they end', () => {
    const telemetry = new Telemetry();
    const seen: string[] = [];
    telemetry.on('link.detached', ({ reason }) => seen.push(`1 ${reason}`));
    const off = telemetry.on('link.detached', ({ reason }) => seen.push(`2 ${reason}`));
    telemetry.emit('link.detached', { instance: 'i', reason: 'a' });
    off();
    telemetry.emit('link.detached', { instance: 'i', reason: 'b' });
    expect(seen).toEqual(['1 a', '2 a', '1 b']);
  });

  it('keeps a failing listener from the emitter and the others, and counts it', () => {
    const telemetry = new Telemetry();
    const seen: string[] = [];
    telemetry.on('link.detached', () => {
      throw new Error('listener');
    });
    telemetry.on('link.detached', ({ reason }) => seen.push(reason));
    telemetry.emit('link.detached', { instance: 'i', reason: 'a' });
    expect([seen, telemetry.failedListeners]).toEqual([['a'], 1]);
  });

  it('waits for the event that matches', async () => {
    const telemetry = new Telemetry();
    const next = telemetry.next('link.detached', ({ reason }) => reason === 'b');
    telemetry.emit('link.detached', { instance: 'i', reason: 'a' });
    telemetry.emit('link.detached', { instance: 'i', reason: 'b' });
    expect((await next).reason).toBe('b');
  });
});
