// SPDX-License-Identifier: Apache-2.0
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Bytes that a disk writes whole or not at all. */
const SECTOR = 512;
const WAL_HEADER = 32;
const FRAME_HEADER = 24;
/** Places in the index of the log (sqlite.org/walformat): number of the last committed frame, page size, frames moved into the database. */
const LAST_FRAME_AT = 16;
const PAGE_SIZE_AT = 14;
const MOVED_FRAMES_AT = 96;

/** Gives numbers from 0 to below `bound`. */
export type Dice = (bound: number) => number;

/** @returns numbers that follow from a seed (mulberry32) */
export function dice(seed: number): Dice {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** What SQLite had certainly synced at the moment of a copy. */
export interface SyncedState {
  /** Bytes of the log up to the last commit that anybody was told of. */
  readonly walBytes: number;
  /** Pages whose newest content stands in the log alone: what the database says about them may be torn. */
  readonly loosePages: readonly number[];
  readonly pageSize: number;
}

/** Stops a process between two instructions, and waits until every thread of it stands still. */
export function freeze(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  const threads = `/proc/${pid}/task`;
  const stands = (thread: string): boolean =>
    /\) [Tt] /.test(readFileSync(`${threads}/${thread}/stat`, 'latin1').slice(0, 200));
  while (!readdirSync(threads).every(stands));
}

/** Lets a process go on. */
export function thaw(pid: number): void {
  process.kill(pid, 'SIGCONT');
}

/**
 * Copies a database and its log while their process stands still.
 * @param to path of the copy; its folder is made
 */
export function copyState(from: string, to: string): SyncedState {
  mkdirSync(dirname(to), { mode: 0o700 });
  for (const suffix of ['', '-wal']) {
    copyFileSync(`${from}${suffix}`, `${to}${suffix}`);
  }
  const index = readFileSync(`${from}-shm`);
  const wal = readFileSync(`${to}-wal`);
  const pageSize = index.readUInt16LE(PAGE_SIZE_AT);
  const frames = index.readUInt32LE(LAST_FRAME_AT);
  const frameBytes = FRAME_HEADER + pageSize;
  const moved = index.readUInt32LE(MOVED_FRAMES_AT);
  const pageOf = (frame: number): number => wal.readUInt32BE(WAL_HEADER + frame * frameBytes);
  const loosePages = Array.from({ length: Math.max(0, frames - moved) }, (_, behind) => pageOf(moved + behind));
  // The index is written after the sync, so all that it knows is on disk.
  return {
    walBytes: frames === 0 ? 0 : WAL_HEADER + frames * frameBytes,
    loosePages: [...new Set(loosePages)],
    pageSize,
  };
}

/**
 * Does to a copy what a power cut may do: the log ends anywhere behind its synced part, with any of the sectors before that end not written;
 * pages of the database that are still in the log hold anything.
 */
export function cutPower(path: string, { walBytes, loosePages, pageSize }: SyncedState, roll: Dice): void {
  const wal = readFileSync(`${path}-wal`);
  const left = wal.subarray(0, walBytes + roll(wal.length - walBytes + 1));
  for (let at = Math.ceil(walBytes / SECTOR) * SECTOR; at < left.length; at += SECTOR) {
    if (roll(4) === 0) left.subarray(at, at + SECTOR).fill(roll(2) * 0xa5);
  }
  writeFileSync(`${path}-wal`, left);
  const database = readFileSync(path);
  for (const page of loosePages) {
    if (roll(2) === 0) continue;
    const at = (page - 1) * pageSize + roll(pageSize / SECTOR) * SECTOR;
    if (at + SECTOR <= database.length) database.fill(0x5a, at, at + SECTOR);
  }
  writeFileSync(path, database);
}
