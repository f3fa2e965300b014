// SPDX-License-Identifier: Apache-2.0
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { ErrorCode } from '../../../src/common/errors.js';
import { readLinkFile } from '../../support/fake-shim-protocol.js';
import { LinkWorld, MemoryHandler } from './link-world.js';

describe('[SEC-2] the link file', () => {
  let world: LinkWorld;
  let umask: number;
  beforeEach(() => {
    world = new LinkWorld();
    umask = process.umask(0o022);
  });
  afterEach(async () => {
    process.umask(umask);
    await world.end();
  });

  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('[SEC-2] is written with 0600 into a folder of 0700 once the bridge listens, and removed at its end', async () => {
    const host = await world.bridge();
    expect(modeOf(world.linkFile)).toBe(0o600);
    expect(modeOf(dirname(world.linkFile))).toBe(0o700);
    expect(readLinkFile(world.linkFile)).toMatchObject({ host: '127.0.0.1', pid: process.pid });
    expect(readdirSync(dirname(world.linkFile))).toEqual(['link.json']);
    await world.attachedShim();
    await host.close();
    expect(existsSync(world.linkFile)).toBe(false);
  });

  it('[SEC-2] has 0640 where the operator named it, whatever the umask says, and an existing folder is left alone', async () => {
    process.umask(0o077);
    const folder = join(world.folder, 'shared');
    mkdirSync(folder);
    chmodSync(folder, 0o2750);
    const linkFile = join(folder, 'link.json');
    await world.bridge(new MemoryHandler(), { linkFile, linkFileMode: 0o640 });
    expect(modeOf(linkFile)).toBe(0o640);
    expect(statSync(folder).mode & 0o7777).toBe(0o2750);
    await world.attachedShim({ linkFile });
  });

  it('[HST-10] of a bridge that was killed is replaced, and its mode with it', async () => {
    mkdirSync(dirname(world.linkFile));
    writeFileSync(world.linkFile, '{"protocol":1', { mode: 0o644 });
    await world.bridge();
    expect(modeOf(world.linkFile)).toBe(0o600);
    await world.attachedShim();
  });

  it('[HST-10] names a new secret for each bridge, and each bridge removes only its own', async () => {
    const first = await world.bridge(new MemoryHandler(1));
    const { secret } = readLinkFile(world.linkFile);
    const second = await world.bridge(new MemoryHandler(2));
    expect(readLinkFile(world.linkFile).secret).not.toBe(secret);
    await first.close();
    const shim = await world.attachedShim();
    expect(second.status().attached?.instance).toBe(shim.instance);
    expect(first.status().attached).toBeNull();
    await second.close();
    expect(existsSync(world.linkFile)).toBe(false);
  });

  it('[HST-10] that somebody changed or removed is left as it is', async () => {
    const host = await world.bridge();
    writeFileSync(world.linkFile, 'not ours');
    await host.close();
    expect(readFileSync(world.linkFile, 'utf8')).toBe('not ours');
    expect(world.unexpected).toEqual([]);
  });

  it('[HST-10] that cannot be written keeps the bridge from starting, by name of the key, and nothing listens', async () => {
    writeFileSync(join(world.folder, 'file'), '');
    const host = world.unstarted({ linkFile: join(world.folder, 'file', 'link.json') });
    host.setHandler(new MemoryHandler());
    await expect(host.listen()).rejects.toMatchObject({
      code: ErrorCode.ConfigInvalid,
      details: { key: 'ANGELIA_LINK_FILE', reason: expect.stringMatching(/^(ENOTDIR|EEXIST)$/) },
    });
    await host.close();
  });

  it('[HST-10] is not written when the address is taken', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    const { port } = occupied.address() as AddressInfo;
    const host = world.unstarted({ listen: { host: '127.0.0.1', port } });
    host.setHandler(new MemoryHandler());
    await expect(host.listen()).rejects.toMatchObject({
      code: ErrorCode.ConfigInvalid,
      details: { key: 'ANGELIA_LINK_LISTEN', reason: 'EADDRINUSE' },
    });
    expect(existsSync(world.linkFile)).toBe(false);
    const closed = once(occupied, 'close');
    occupied.close();
    await closed;
  });

  it('[HST-10] is not written by a bridge that has nobody to answer, or that was closed before', async () => {
    await expect(world.unstarted().listen()).rejects.toThrow('setHandler');
    const host = world.unstarted();
    host.setHandler(new MemoryHandler());
    await host.close();
    await host.listen();
    expect(existsSync(world.linkFile)).toBe(false);
  });
});
