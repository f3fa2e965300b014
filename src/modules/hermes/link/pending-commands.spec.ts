// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../common/errors.js';
import { PendingCommands } from './pending-commands.js';

describe('[HST-10] pending commands', () => {
  it('[HST-10] settle by id, once, and do not mind late results', async () => {
    const pending = new PendingCommands();
    const first = pending.add('start:a');
    const other = pending.add('start:b');
    expect([first.isNew, other.isNew]).toEqual([true, true]);
    const result = { type: 'result', seq: 1, command: 'start:a', ok: true } as const;
    pending.settle(result);
    pending.settle({ ...result, ok: false });
    expect(await first.result).toBe(result);
    expect(pending.add('start:a').isNew).toBe(true);
    expect(pending.add('start:b')).toEqual({ isNew: false, result: other.result });
    const ended = [pending.add('start:a').result, other.result].map((one) =>
      expect(one).rejects.toMatchObject({ code: ErrorCode.LinkDetached, details: { reason: 'closed' } }),
    );
    pending.rejectAll('closed');
    await Promise.all(ended);
    expect(pending.add('start:b').isNew).toBe(true);
  });
});
