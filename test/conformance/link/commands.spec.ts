// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import { type CommandAnswer, type ReceivedCommand } from '../../support/fake-shim-protocol.js';
import { LinkWorld, MemoryHandler, turn } from './link-world.js';

const MIB = 1024 * 1024;

describe('[HST-10] commands to the shim', () => {
  let world: LinkWorld;
  beforeEach(() => {
    world = new LinkWorld();
  });
  afterEach(() => world.end());

  /** The lines of a tick are written at its end; only then their time runs. */
  const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const detached = { code: ErrorCode.LinkDetached };

  it('[HST-11] carry a stable id and the epoch, and settle by their results', async () => {
    const host = await world.bridge(new MemoryHandler(5));
    const shim = await world.attachedShim();
    const start = turn();
    expect(await host.startTurn(start)).toEqual({ taken: true, repeated: false });
    expect(await host.interruptTurn(start.admission)).toBe(true);
    expect(await host.suspendSession('agent:main:borgee:channel:c1', start.admission)).toEqual({ existed: true });
    expect(shim.commands).toEqual([
      { id: `start:${start.admission}`, epoch: 5, op: 'start', ...start },
      { id: `interrupt:${start.admission}`, epoch: 5, op: 'interrupt', admission: start.admission },
      {
        id: `suspend:${start.admission}`,
        epoch: 5,
        op: 'suspend',
        session_key: 'agent:main:borgee:channel:c1',
        busy: false,
      },
    ]);
  });

  it('[INB-5] [SCH-4] reset a session, suspend a busy one and ask what the process knows', async () => {
    const host = await world.bridge(new MemoryHandler(5));
    const known = [{ id: 'claim-1', state: 'started' as const }];
    const shim = await world.attachedShim({
      answer: ({ op }) =>
        op === 'admissions' ? { ok: true, admissions: known } : { ok: true, existed: op === 'reset' },
    });
    expect(await host.resetSession('key', '7')).toEqual({ existed: true });
    expect(await host.suspendSession('key', 'claim-1', true)).toEqual({ existed: false });
    expect(await host.knownAdmissions()).toEqual(known);
    expect(shim.commands).toEqual([
      { id: 'reset:7', epoch: 5, op: 'reset', session_key: 'key' },
      { id: 'suspend:claim-1', epoch: 5, op: 'suspend', session_key: 'key', busy: true },
      { id: 'admissions:1', epoch: 5, op: 'admissions' },
    ]);
  });

  it('[HST-10] that Hermes does not take say why', async () => {
    const host = await world.bridge();
    const answers: Record<ReceivedCommand['op'], CommandAnswer> = {
      start: { ok: false, code: 'draining' },
      interrupt: { ok: true, known: false },
      suspend: { ok: false, code: 'refused' },
      reset: { ok: false, code: 'refused' },
      admissions: { ok: true, admissions: [] },
    };
    await world.attachedShim({ answer: (command) => answers[command.op] });
    expect(await host.startTurn(turn())).toEqual({ taken: false, code: 'draining' });
    expect(await host.interruptTurn('a')).toBe(false);
    await expect(host.suspendSession('key', 'a')).rejects.toMatchObject({
      code: ErrorCode.HermesStartRefused,
      details: { command: 'suspend', code: 'refused' },
    });
  });

  it('[HST-10] are settled only after the commit of their results', async () => {
    const handler = new MemoryHandler();
    const host = await world.bridge(handler);
    await world.attachedShim();
    const { begun, release } = handler.holdAll();
    let settled = false;
    const reply = host.startTurn(turn()).then((value) => {
      settled = true;
      return value;
    });
    await begun;
    expect(settled).toBe(false);
    release();
    expect(await reply).toEqual({ taken: true, repeated: false });
    expect(handler.applied).toMatchObject([{ type: 'result', ok: true }]);
  });

  it('[HST-10] are impossible while no shim is attached', async () => {
    const host = await world.bridge();
    await expect(host.startTurn(turn())).rejects.toMatchObject(detached);
    const shim = world.shim();
    await shim.attach();
    await expect(host.interruptTurn('a')).rejects.toMatchObject(detached);
    await shim.open();
    expect(await host.interruptTurn('a')).toBe(true);
  });

  it('[HST-11] end with the stream, and their repeat is answered from the memory of the shim', async () => {
    const host = await world.bridge();
    let taken: (() => void) | undefined;
    const wasTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const shim = await world.attachedShim({
      answer: () => {
        taken?.();
        return { ok: true };
      },
    });
    shim.hold();
    const start = turn();
    const first = host.startTurn(start);
    const rejected = expect(first).rejects.toMatchObject({
      code: ErrorCode.LinkDetached,
      details: { reason: 'closed' },
    });
    await wasTaken;
    shim.disconnect();
    await rejected;
    shim.release();
    await shim.connect();
    expect(shim.admissions.get(start.admission)).toBe('taken');
    await shim.committed(1);
    expect(await host.startTurn(start)).toEqual({ taken: true, repeated: true });
    expect(shim.commands.map((command) => command.id)).toEqual(Array(2).fill(`start:${start.admission}`));
  });

  it('[HST-11] asked for twice are written once while they wait', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim();
    const start = turn();
    const replies = await Promise.all([host.startTurn(start), host.startTurn(start)]);
    expect(replies).toEqual(Array(2).fill({ taken: true, repeated: false }));
    expect(shim.commands).toHaveLength(1);
  });

  it('[HST-10] keep U+2028, U+2029, U+0085, lone surrogates and every other character', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim();
    const text = 'a\u2028b\u2029c\u0085d\r\n\t\u0000e\u{1F44D}f\ud800g';
    await host.startTurn(turn({ text }));
    expect(shim.commands[0]).toMatchObject({ text });
  });

  it('[HST-10] carry a line of 2 MiB', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim();
    const text = '\u20ac'.repeat((2 * MIB) / 3);
    await host.startTurn(turn({ text }));
    expect(shim.commands[0]).toMatchObject({ text });
  });

  it('[HST-10] whose line would be too long are not taken and never written', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim();
    const tooLong = turn({ text: '\u20ac'.repeat((16 * MIB) / 3 + 1) });
    expect(await host.startTurn(tooLong)).toEqual({ taken: false, code: 'bad_request' });
    const long = turn({ text: '\u20ac'.repeat(5 * MIB) });
    expect(await host.startTurn(long)).toEqual({ taken: true, repeated: false });
    expect(shim.commands.map((command) => command.id)).toEqual([`start:${long.admission}`]);
  });

  it('[HST-10] of one tick all arrive, in their order', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim();
    const starts = Array.from({ length: 500 }, () => turn({ text: 'x'.repeat(500) }));
    await Promise.all(starts.map((start) => host.startTurn(start)));
    expect(shim.commands.map((command) => command.id)).toEqual(starts.map((start) => `start:${start.admission}`));
  });

  it('[HST-10] wait for a slow reader without being lost', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim();
    shim.pauseReading();
    const starts = Array.from({ length: 16 }, () => turn({ text: 'x'.repeat(MIB) }));
    const replies = Promise.all(starts.map((start) => host.startTurn(start)));
    await written();
    world.clock.advance(14_999);
    shim.resumeReading();
    expect(await replies).toEqual(Array(16).fill({ taken: true, repeated: false }));
    expect(shim.commands.map((command) => command.id)).toEqual(starts.map((start) => `start:${start.admission}`));
    world.clock.advance(15_000);
    expect(host.status().attached?.instance).toBe(shim.instance);
  });

  it('[HST-10] that a frozen shim does not take within 15 s end the link', async () => {
    const handler = new MemoryHandler();
    const host = await world.bridge(handler);
    const shim = await world.attachedShim();
    shim.pauseReading();
    const starts = Array.from({ length: 16 }, () => host.startTurn(turn({ text: 'x'.repeat(MIB) })));
    const outcomes = Promise.allSettled(starts);
    const ended = world.telemetry.next('link.detached');
    await written();
    world.clock.advance(15_000);
    expect(await ended).toEqual({ instance: shim.instance, reason: 'stalled' });
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: detached });
    expect(handler.detachedInstances).toEqual([shim.instance]);
    expect(host.status().attached).toBeNull();
  });

  it('[HST-10] a half-open stream ends like a closed one', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim({ answer: () => null });
    const pending = host.startTurn(turn());
    const rejected = expect(pending).rejects.toMatchObject(detached);
    await shim.received((command) => command.op === 'start');
    shim.halfClose();
    await rejected;
    await shim.streamEnded();
    const events = { instance: shim.instance, events: [{ type: 'stopping', seq: 1 }] };
    expect((await shim.post('/link/v1/events', events)).status).toBe(401);
    await shim.connect();
    expect(host.status().attached?.instance).toBe(shim.instance);
  });

  it('[HST-10] a line says every 5 s that the bridge lives, unless another one has just said it', async () => {
    const host = await world.bridge();
    const shim = await world.attachedShim();
    world.clock.advance(5_000);
    await shim.until(() => shim.alive === 1);
    world.clock.advance(3_000);
    await host.interruptTurn('a');
    world.clock.advance(4_999);
    await host.interruptTurn('b');
    expect(shim.alive).toBe(1);
    world.clock.advance(5_000);
    await shim.until(() => shim.alive === 2);
  });

  it('[HST-11] end at the close of the bridge, and the shim sees the stream end', async () => {
    const handler = new MemoryHandler();
    const host = await world.bridge(handler);
    const shim = await world.attachedShim({ answer: () => null });
    const pending = host.startTurn(turn());
    const rejected = expect(pending).rejects.toMatchObject({
      code: ErrorCode.LinkDetached,
      details: { reason: 'bridge_closing' },
    });
    await shim.received((command) => command.op === 'start');
    await Promise.all([host.close(), host.close()]);
    await rejected;
    await shim.streamEnded();
    expect(handler.detachedInstances).toEqual([shim.instance]);
    await expect(host.startTurn(turn())).rejects.toMatchObject(detached);
  });
});
