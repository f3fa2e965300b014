// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';

/**
 * A process of its own that holds the write lock of a ledger: `node ledger-lock-holder.js <path>`. Says `held`, gives the lock back when
 * a line comes on stdin, says `free`, and ends.
 */
const [path = ''] = process.argv.slice(2);
const db = new Database(path, { fileMustExist: true });
db.exec('BEGIN IMMEDIATE');
writeSync(1, 'held\n');
await once(createInterface({ input: process.stdin }), 'line');
db.exec('ROLLBACK');
db.close();
writeSync(1, 'free\n');
process.stdin.destroy();
