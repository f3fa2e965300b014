// SPDX-License-Identifier: Apache-2.0
import { statfs } from 'node:fs/promises';

/** Asks for the space that is left on a disk. @returns free bytes for this user, null when the system does not say */
export type FreeBytes = () => Promise<number | null>;

/** @returns a question about the disk of a folder */
export function freeBytesOf(folder: string): FreeBytes {
  return async () => {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch {
      return null;
    }
  };
}
