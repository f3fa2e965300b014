// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { attachReport } from '../../../test/support/fake-hermes-host.js';
import { TurnBench } from '../../../test/support/turn-bench.js';
import { readApiKey } from '../../config/index.js';
import type { AttachReport } from '../hermes/index.js';
import { BridgeLocks } from '../inbox/index.js';
import { EffectiveSettings } from './effective-settings.js';
import { HermesAttachment } from './hermes-attachment.js';

describe('HermesAttachment', () => {
  let bench: TurnBench;
  let locks: BridgeLocks;
  let settings: EffectiveSettings;
  let attachment: HermesAttachment;
  let environment: NodeJS.ProcessEnv;
  const stop = new AbortController();

  beforeEach(async () => {
    bench = await TurnBench.open();
    const profile = join(bench.folder.folder, 'profile');
    mkdirSync(profile);
    environment = { BORGEE_API_KEY: 'bgr_example' };
    locks = new BridgeLocks(join(bench.folder.folder, 'locks'));
    locks.takeProfile(profile);
    settings = new EffectiveSettings(
      profile,
      () => readApiKey(profile, environment),
      bench.store,
      locks,
      bench.chat,
      bench.telemetry,
    );
    attachment = new HermesAttachment(
      bench.store,
      bench.scheduler,
      bench.recovery,
      bench.remediation,
      bench.hold,
      bench.classifier,
      settings,
      bench.host,
      bench.events,
      bench.clock,
      bench.telemetry,
      stop.signal,
    );
  });

  afterEach(async () => {
    locks.release();
    await bench.close();
  });

  async function attach(report: AttachReport): Promise<void> {
    expect((await attachment.attaching(report)).accepted).toBe(true);
    bench.host.attach(report);
    attachment.attached(report);
  }

  it('[HST-9] connects with the settings that the shim brought and keeps them without the key', async () => {
    await attachment.attaching(attachReport());
    expect(bench.chat.configured).toBe(1);
    expect(settings.current?.base_url).toBe('https://chat.example.com');
    await bench.store.close();
    const kept = (await bench.reopen()).settings;
    expect(kept).toContain('https://chat.example.com');
    expect(kept).not.toContain('bgr_example');
  });

  it('gives the identities of the two official locks, digests only', async () => {
    const verdict = await attachment.attaching(attachReport());
    expect(verdict).toMatchObject({
      accepted: true,
      ack: 0,
      locks: {
        profile: expect.stringMatching(/^hermes-home:[0-9a-f]{64}$/),
        credential: expect.stringMatching(/^https:\/\/chat\.example\.com\|credential:[0-9a-f]{64}$/),
      },
    });
  });

  it.each([
    ['group_sessions_per_user', { group_sessions_per_user: true }],
    ['display.busy_input_mode', { busy_input_mode: 'interrupt' }],
    ['multiplex_profiles', { multiplex_profiles: true }],
    ['plugins.enabled', { official_plugin_enabled: true }],
  ])('[HST-5] refuses a Hermes that really uses another %s, by name', async (key, wrong) => {
    const report = attachReport();
    const verdict = await attachment.attaching({ ...report, hermes: { ...report.hermes, ...wrong } });
    expect(verdict).toMatchObject({ accepted: false, error: { code: 'hermes_setting_wrong', details: { key } } });
    expect(bench.chat.configured).toBe(0);
  });

  it.each([
    ['borgee.base_url', {}],
    ['borgee.api_key', { base_url: 'https://chat.example.com', api_key: 'bgr_example' }],
    ['borgee.max_concurrent_dispatches', { base_url: 'https://chat.example.com', max_concurrent_dispatches: 33 }],
  ])('refuses a platform block with a wrong %s, by name and without its value', async (key, platform) => {
    const verdict = await attachment.attaching(attachReport({ platform }));
    expect(verdict).toMatchObject({ accepted: false, error: { code: 'config_invalid', details: { key } } });
    expect(JSON.stringify(verdict)).not.toContain('bgr_example');
  });

  it('[INB-3] opens the dispatch only after the claims of earlier processes are settled', async () => {
    await bench.admit('m1');
    const claimed = bench.telemetry.next('receipt.claimed');
    await attach(attachReport());
    await claimed;
    await bench.scheduler.quiesce();
    expect(bench.host.starts).toMatchObject([{ message_id: 'm1' }]);
    expect(attachment.effectiveDispatches).toBe(4);
  });

  it('[HST-11] carries on a turn that the process still runs, and releases one that it never got', async () => {
    const first = await bench.handOver('m1', { lane: 'a' });
    await bench.handOver('m2', { lane: 'b' });
    attachment.detached();
    const released = bench.telemetry.next('receipt.released');
    await attach(attachReport({ admissions: [{ id: first, state: 'started' }] }));
    expect((await released).lane).toBe('b');
    expect(bench.scheduler.runningClaims().map(({ claim }) => claim)).toContain(first);
  });

  it('applies the spool of an earlier process before it settles its claims', async () => {
    const claim = await bench.handOver('m1');
    await bench.shim({ type: 'started', admission: claim });
    attachment.detached();
    const spool = {
      instance: 'i',
      events: [{ seq: 2, ...bench.ended(claim, 'completed') }] as NonNullable<AttachReport['spool']>['events'],
    };
    const terminal = bench.telemetry.next('receipt.terminal');
    await attach(attachReport({ spool }));
    expect(await terminal).toMatchObject({ state: 'completed' });
    await bench.taskClosed();
    expect((await bench.store.statistics()).receipts).toMatchObject({ completed: 1, quarantined: 0 });
  });

  it('[INB-3] [INB-6] shows the task of a quarantined turn as failed: nobody works on it any more', async () => {
    await attach(attachReport());
    const claim = await bench.handOver('m1');
    await bench.shim({ type: 'started', admission: claim });
    attachment.detached();
    const quarantined = bench.telemetry.next('receipt.quarantined');
    await attach(attachReport());
    await quarantined;
    await bench.taskClosed();
    expect(bench.chat.tasks.at(-1)).toBe(`failed borgee-1-${claim.slice(0, 12)}`);
    expect((await bench.store.statistics()).receipts).toMatchObject({ quarantined: 1 });
  });

  it('takes no more turns than Hermes has threads for, one of them kept free', async () => {
    const report = attachReport({ platform: { base_url: 'https://chat.example.com', max_concurrent_dispatches: 32 } });
    await attach(report);
    await attachment.whenSettled();
    expect(attachment.effectiveDispatches).toBe(9);
  });

  it('closes the dispatch when Hermes announces its stop', async () => {
    await attach(attachReport());
    await attachment.whenSettled();
    await attachment.apply('i', [{ type: 'stopping', seq: 1 }]);
    await bench.admit('m1');
    await bench.scheduler.quiesce();
    expect(bench.host.starts).toEqual([]);
  });

  it('[D-13] connects without Hermes from the settings that were kept, and nowhere without them', () => {
    settings.restore(null);
    expect([settings.problem?.code, bench.chat.configured]).toEqual(['settings_unknown', 0]);
    settings.restore(JSON.stringify({ base_url: 'https://chat.example.com' }));
    expect([settings.problem, bench.chat.configured]).toEqual([null, 1]);
  });

  it('reads the key again and asks a refused server again', async () => {
    await attachment.attaching(attachReport());
    settings.reload();
    expect([bench.chat.configured, bench.chat.retried]).toEqual([2, 1]);
  });

  it('names a missing key', async () => {
    environment = {};
    const verdict = await attachment.attaching(attachReport());
    expect(verdict).toMatchObject({ accepted: false, error: { code: 'credential_missing' } });
    expect(settings.problem?.code).toBe('credential_missing');
  });
});
