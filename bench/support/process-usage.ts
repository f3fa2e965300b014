// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';

/** CPU time and largest memory of a process so far. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly peakRssMib: number;
}

/** Clock ticks per second in /proc (Linux: always 100 for user space). */
const TICKS_PER_SECOND = 100;

/** @returns the usage of this process */
export function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, peakRssMib: peakRss('self') };
}

const lastReadings = new Map<number, Usage>();

/** @returns the usage of a child, or its last reading when it has ended */
export function childUsage(pid: number): Usage {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    lastReadings.set(pid, { cpuSeconds: ticks / TICKS_PER_SECOND, peakRssMib: peakRss(String(pid)) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return lastReadings.get(pid) ?? { cpuSeconds: 0, peakRssMib: 0 };
}

function peakRss(pid: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
