// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { Pause } from '../operator-types.js';

/** What the operator paused, with who set and who ended it (OPS-5). */
export class Pauses {
  private readonly begin: Database.Statement;
  private readonly end: Database.Statement;
  private readonly select: Database.Statement<[], Pause>;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
  ) {
    this.begin = db.prepare(
      'INSERT INTO pauses (name, since, actor) VALUES (?, ?, ?) ON CONFLICT (name) WHERE ended_at IS NULL DO NOTHING',
    );
    this.end = db.prepare('UPDATE pauses SET ended_at = ?, ended_by = ? WHERE name = ? AND ended_at IS NULL');
    this.select = db.prepare<[], Pause>('SELECT name FROM pauses WHERE ended_at IS NULL ORDER BY id').pluck();
  }

  /** Sets or ends a pause; what stands already stays as it is. @returns the pauses that hold now, oldest first */
  set(pause: Pause, on: boolean, actor: string): Pause[] {
    if (on) this.begin.run(pause, this.now(), actor);
    else this.end.run(this.now(), actor, pause);
    return this.current();
  }

  /** The pauses that hold, oldest first. */
  current(): Pause[] {
    return this.select.all();
  }
}
