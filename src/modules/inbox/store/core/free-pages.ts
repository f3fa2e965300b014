// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';

/** Free pages that stay in the file for what comes next (4 KiB each), and the share of the file that may be free beyond them. */
const KEPT_PAGES = 1_024;
const KEPT_SHARE = 0.25;

/**
 * Gives pages back to the file system once far more of them are free than the usual traffic will use again, as after a storm of messages (INB-14).
 * A file of version 0.1.0 keeps its size: it has no map of its pages, and to make one would write it anew.
 */
export class FreePages {
  constructor(private readonly db: Database.Database) {}

  /**
   * Cuts free pages off the end of the file.
   * @param limit most pages of one step
   * @returns how many were cut off
   */
  giveBack(limit: number): number {
    const [pages, free] = [this.read('page_count'), this.read('freelist_count')];
    const surplus = Math.min(free - Math.max(KEPT_PAGES, Math.floor(pages * KEPT_SHARE)), limit);
    if (surplus <= 0) return 0;
    this.db.pragma(`incremental_vacuum(${surplus})`);
    return free - this.read('freelist_count');
  }

  private read(pragma: 'page_count' | 'freelist_count'): number {
    return Number(this.db.pragma(pragma, { simple: true }));
  }
}
