// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AngeliaError, ErrorCode } from '../../../src/common/errors.js';
import { FakeShim } from '../../support/fake-shim.js';
import { hmac, readLinkFile, ShimRefused } from '../../support/fake-shim-protocol.js';
import { LinkWorld, MemoryHandler, turn } from './link-world.js';
import { WireTap } from './wire-tap.js';

describe('[HST-10] attach to the bridge', () => {
  let world: LinkWorld;
  beforeEach(() => {
    world = new LinkWorld();
  });
  afterEach(() => world.end());

  const refusal = async (attempt: Promise<unknown>): Promise<ShimRefused> => {
    const error = await attempt.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error instanceof ShimRefused) return error;
    throw new Error('the bridge did not refuse', { cause: error });
  };

  it('[HST-10] both sides prove the secret, and the bridge tells what is attached', async () => {
    const handler = new MemoryHandler(7);
    const host = await world.bridge(handler);
    expect(host.status()).toEqual({ attached: null, refused: null, stopping: false });
    const attached = world.telemetry.next('link.attached');
    const shim = world.shim();
    const accepted = await shim.attach();
    expect(accepted).toEqual({ ack: 0, locks: { profile: 'hermes-home:0', credential: null } });
    expect(handler.attachedInstances).toEqual([]);
    await shim.open();
    expect(handler.attachedInstances).toEqual([shim.instance]);
    expect(await attached).toEqual({ instance: shim.instance, hermesVersion: '0.19.0', admissions: 0 });
    expect(host.status().attached).toMatchObject({
      instance: shim.instance,
      pid: process.pid,
      versions: { hermes: '0.19.0' },
      settings: { busy_input_mode: 'queue' },
      since: world.clock.now(),
    });
  });

  it('[HST-10] a wrong proof of the shim is refused, and its nonce is used up', async () => {
    await world.bridge();
    const shim = world.shim();
    const { secret, challenge } = await shim.challenge();
    const { bridgeNonce, shimNonce, epoch } = challenge;
    const wrong = await refusal(shim.finishAttach(bridgeNonce, hmac(secret, 'bridge', shimNonce, bridgeNonce, epoch)));
    expect([wrong.status, wrong.reason]).toEqual([401, 'link_proof_invalid']);
    const right = hmac(secret, 'shim', bridgeNonce, shimNonce, epoch);
    expect((await refusal(shim.finishAttach(bridgeNonce, right))).reason).toBe('link_proof_invalid');
    expect(world.refused).toEqual([{ code: 'link_proof_invalid', key: null }]);
  });

  it('[HST-10] a proof serves once: the recorded attach of another gets nothing', async () => {
    await world.bridge();
    const shim = world.shim();
    const { secret, challenge } = await shim.challenge();
    const { bridgeNonce, shimNonce, epoch } = challenge;
    const proof = hmac(secret, 'shim', bridgeNonce, shimNonce, epoch);
    await shim.finishAttach(bridgeNonce, proof);
    expect((await refusal(shim.finishAttach(bridgeNonce, proof))).reason).toBe('link_proof_invalid');
  });

  it('[HST-10] a nonce lives 10 s', async () => {
    await world.bridge();
    const shim = world.shim();
    const { secret, challenge } = await shim.challenge();
    const { bridgeNonce, shimNonce, epoch } = challenge;
    world.clock.advance(10_000);
    const late = shim.finishAttach(bridgeNonce, hmac(secret, 'shim', bridgeNonce, shimNonce, epoch));
    expect((await refusal(late)).reason).toBe('link_proof_invalid');
  });

  it('[SEC-2] the secret never travels, in neither direction', async () => {
    const host = await world.bridge();
    const file = readLinkFile(world.linkFile);
    const tap = await WireTap.between(file.host, file.port);
    const tapped = join(world.folder, 'tapped.json');
    writeFileSync(tapped, JSON.stringify({ ...file, protocol: 1, port: tap.port }), { mode: 0o600 });
    const shim = await world.attachedShim({ linkFile: tapped, hostHeader: `${file.host}:${file.port}` });
    await host.startTurn(turn());
    shim.disconnect();
    await tap.close();
    const wire = tap.text();
    expect(wire).toContain('start:');
    expect(wire).toContain('"proof"');
    expect(wire).not.toContain(file.secret);
  });

  it('[HST-11] a secret from before the restart of the bridge is refused on the new one, and the new file is found', async () => {
    const first = await world.bridge(new MemoryHandler(1));
    const stale = readLinkFile(world.linkFile).secret;
    const shim = await world.attachedShim();
    await first.close();
    await shim.streamEnded();
    await world.bridge(new MemoryHandler(2));
    const { challenge } = await shim.challenge();
    const { bridgeNonce, shimNonce, epoch } = challenge;
    const proof = hmac(stale, 'shim', bridgeNonce, shimNonce, epoch);
    expect((await refusal(shim.finishAttach(bridgeNonce, proof))).reason).toBe('link_proof_invalid');
    await shim.connect();
  });

  it('[HST-11] a shim refuses a bridge of a lower epoch than it has seen', async () => {
    const first = await world.bridge(new MemoryHandler(9));
    const shim = await world.attachedShim();
    await first.close();
    await shim.streamEnded();
    await world.bridge(new MemoryHandler(8));
    expect((await refusal(shim.connect())).reason).toBe('epoch_lower');
  });

  it('[HST-5] a second Hermes process is refused while the first is attached, and served after it', async () => {
    const host = await world.bridge();
    const first = await world.attachedShim();
    const second = world.shim();
    const refused = await refusal(second.connect());
    expect([refused.status, refused.reason]).toEqual([409, 'link_shim_already_attached']);
    await refusal(second.connect());
    expect(world.refused).toEqual([{ code: 'link_shim_already_attached', key: null }]);
    expect(host.status()).toMatchObject({ attached: { instance: first.instance }, refused: null });
    const detached = world.telemetry.next('link.detached');
    first.disconnect();
    expect(await detached).toEqual({ instance: first.instance, reason: 'closed' });
    await second.connect();
    expect(host.status().attached?.instance).toBe(second.instance);
  });

  it('[HST-5] a shim that was accepted and never opens its stream gives its place up', async () => {
    const handler = new MemoryHandler();
    await world.bridge(handler);
    const first = world.shim();
    await first.attach();
    const second = world.shim();
    expect((await refusal(second.connect())).status).toBe(409);
    world.clock.advance(10_000);
    await second.connect();
    expect((await refusal(first.open())).reason).toBe('link_session_unknown');
    expect(handler.detachedInstances).toEqual([]);
  });

  it('[HST-10] the same process may attach anew: its old stream is ended first', async () => {
    const handler = new MemoryHandler();
    await world.bridge(handler);
    const instance = 'ab'.repeat(16);
    const before = await world.attachedShim({ report: { instance } });
    const detached = world.telemetry.next('link.detached');
    await world.attachedShim({ report: { instance } });
    expect(await detached).toEqual({ instance, reason: 'replaced' });
    await before.streamEnded();
    expect(handler.attachedInstances).toEqual([instance, instance]);
    expect(handler.detachedInstances).toEqual([instance]);
  });

  it('[HST-10] a session has one command stream', async () => {
    await world.bridge();
    const shim = await world.attachedShim();
    const second = await refusal(shim.open());
    expect([second.status, second.reason]).toEqual([409, 'link_shim_already_attached']);
  });

  it('[HST-7] a wrong setting is named to the shim and stays in the status until an attach succeeds', async () => {
    const handler = new MemoryHandler();
    const host = await world.bridge(handler);
    const details = { key: 'display.busy_input_mode', expected: 'queue' };
    const error = new AngeliaError(ErrorCode.HermesSettingWrong, details);
    handler.verdict = () => ({ accepted: false, error });
    const shim = world.shim();
    const refused = await refusal(shim.connect());
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual({ code: 'hermes_setting_wrong', ...details });
    await refusal(shim.connect());
    expect(host.status().refused).toBe(error);
    expect(world.refused).toEqual([{ code: 'hermes_setting_wrong', key: 'display.busy_input_mode' }]);
    handler.verdict = null;
    await shim.connect();
    expect(host.status().refused).toBeNull();
  });

  it('[INB-9] a ledger that cannot be written is told with 503, by verdict or by rejection', async () => {
    const handler = new MemoryHandler();
    const host = await world.bridge(handler);
    const error = new AngeliaError(ErrorCode.LedgerWriteFailed);
    handler.verdict = () => ({ accepted: false, error });
    const refused = await refusal(world.shim().connect());
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({
      code: 'ledger_write_failed',
      sentence: 'The ledger cannot be written; intake is stopped until a write succeeds.',
    });
    handler.verdict = () => {
      throw new TypeError('canary of an unexpected error');
    };
    const unexpected = await refusal(world.shim().connect());
    expect([unexpected.status, unexpected.reason]).toEqual([503, 'internal']);
    expect(JSON.stringify(unexpected.body)).not.toContain('canary');
    expect(host.status().refused?.code).toBe(ErrorCode.Internal);
    expect(world.unexpected).toEqual([{ where: 'link.attach', code: 'internal', ids: {} }]);
  });

  it('[HST-10] a shim that goes away while it is judged takes no place', async () => {
    const handler = new MemoryHandler();
    await world.bridge(handler);
    const { begun, release } = handler.holdAll();
    const gone = world.shim();
    const attempt = gone.attach();
    await begun;
    gone.disconnect();
    await expect(attempt).rejects.toThrow();
    const next = world.shim();
    // A round trip on a later connection: by then the bridge has seen the end of the earlier one.
    await next.challenge();
    await next.challenge();
    const accepted = next.connect();
    release();
    await accepted;
    expect(handler.attachedInstances).toEqual([next.instance]);
  });

  it('[HST-10] another version of the protocol is answered with the supported one', async () => {
    const host = await world.bridge();
    const shim = world.shim();
    await shim.challenge();
    const answer = await shim.post('/link/v1/challenge', { protocol: 2, nonce: 'something new' });
    expect(answer).toEqual({ status: 426, body: { code: 'link_protocol_unsupported', supported: [1] } });
    expect(host.status().refused?.details).toEqual({ key: 'protocol', expected: 1, offered: 2 });
  });

  it.each([
    ['instance', { instance: 'short' }, '/report/instance'],
    ['admission state', { admissions: [{ id: 'a', state: 'lost' }] }, '/report/admissions/0/state'],
    ['number', { first_unacknowledged: 2 ** 53 }, '/report/first_unacknowledged'],
    [
      'spool',
      { spool: { instance: 'ab'.repeat(16), events: [{ type: 'parked', seq: 1 }] } },
      '/report/spool/events/0/admission',
    ],
  ])('[HST-10] a report with a wrong %s is refused by the name of the field', async (_name, report, field) => {
    const host = await world.bridge();
    const shim = new FakeShim({ linkFile: world.linkFile, report: report as never });
    const refused = await refusal(shim.connect());
    shim.disconnect();
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ code: 'link_request_invalid', field });
    expect(host.status().refused?.code).toBe(ErrorCode.LinkRequestInvalid);
  });

  it('[SEC-2] a request that was led here by a foreign host name gets nothing', async () => {
    await world.bridge();
    const refused = await refusal(world.shim({ hostHeader: 'rebound.example.com' }).connect());
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ code: 'link_request_invalid', field: 'host' });
  });

  it('[HST-10] requests without a session, with a wrong one or to an unknown path are refused', async () => {
    await world.bridge();
    const shim = await world.attachedShim();
    const events = { instance: shim.instance, events: [] };
    for (const authorization of ['', 'Angelia', `Angelia ${'0'.repeat(64)}`, `Bearer ${'0'.repeat(64)}`]) {
      const answer = await shim.post('/link/v1/events', events, { authorization });
      expect(answer).toEqual({ status: 401, body: { code: 'link_session_unknown' } });
    }
    expect((await shim.post('/link/v2/challenge', {})).status).toBe(404);
  });

  it('[HST-10] many challenges that never attach keep nobody out', async () => {
    await world.bridge();
    const flood = world.shim();
    await flood.challenge();
    for (let count = 0; count < 100; count += 1) {
      await flood.post('/link/v1/challenge', { protocol: 1, shim_nonce: '0'.repeat(64) });
    }
    await world.attachedShim();
  });
});
