// SPDX-License-Identifier: Apache-2.0
import { Lifecycle } from './lifecycle.js';

class Part extends Lifecycle {
  readonly calls: string[] = [];
  release: () => void = () => undefined;
  failing = false;

  protected override async onStart(): Promise<void> {
    this.calls.push('start');
    await new Promise<void>((resolve) => {
      this.release = resolve;
    });
    if (this.failing) throw new Error('no start');
    this.calls.push('started');
  }

  protected override onStop(): Promise<void> {
    this.calls.push(`stop ${String(this.isStopping)}`);
    return Promise.resolve();
  }
}

describe('Lifecycle', () => {
  it('starts and stops once, however often it is asked', async () => {
    const part = new Part();
    const starts = [part.start(), part.start()];
    part.release();
    await Promise.all(starts);
    await Promise.all([part.stop(), part.stop()]);
    await part.stop();
    expect(part.calls).toEqual(['start', 'started', 'stop true']);
  });

  it('tolerates a stop without a start and does not start afterwards', async () => {
    const part = new Part();
    await part.stop();
    await part.start();
    expect(part.calls).toEqual([]);
  });

  it('stops after a start that still runs', async () => {
    const part = new Part();
    const started = part.start();
    const stopped = part.stop();
    part.release();
    await Promise.all([started, stopped]);
    expect(part.calls).toEqual(['start', 'started', 'stop true']);
  });

  it('stops after a start that failed', async () => {
    const part = new Part();
    part.failing = true;
    const started = part.start();
    part.release();
    await expect(started).rejects.toThrow('no start');
    await part.stop();
    expect(part.calls).toEqual(['start', 'stop true']);
  });
});
