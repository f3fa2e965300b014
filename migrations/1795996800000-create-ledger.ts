// SPDX-License-Identifier: Apache-2.0
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table definitions; the foreign key of `outbox` wants `receipts` first. A check that ends its table stands directly before the last
 * bracket: TypeORM does not see it otherwise.
 */
const TABLES = [
  `CREATE TABLE "receipts" (
    "ingest_seq" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
    "dedupe_key" blob NOT NULL,
    "evidence" blob NOT NULL,
    "sightings" integer NOT NULL DEFAULT (1),
    "state" integer NOT NULL,
    "kind" text NOT NULL,
    "lane" text NOT NULL,
    "channel_id" text NOT NULL,
    "channel_type" integer NOT NULL,
    "message_id" text NOT NULL,
    "author_id" text NOT NULL,
    "author_name" text NOT NULL,
    "context" text,
    "source_created_at" integer NOT NULL,
    "received_at" integer NOT NULL,
    "claim" text,
    "attempt" integer NOT NULL DEFAULT (0),
    "released" integer NOT NULL DEFAULT (0),
    "started_at" integer,
    "withdrawn" integer NOT NULL DEFAULT (0),
    "task_opened_at" integer,
    "ended_at" integer,
    "outcome" text,
    "error_code" text,
    "body" text NOT NULL,
    CONSTRAINT "receipts_state_known" CHECK (state BETWEEN 0 AND 5),
    CONSTRAINT "receipts_dedupe_key_length" CHECK (length(dedupe_key) = 16))`,
  `CREATE TABLE "outbox" (
    "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
    "ingest_seq" integer NOT NULL,
    "channel_id" text NOT NULL,
    "kind" integer NOT NULL,
    "handle" text,
    "part" integer NOT NULL,
    "reply_to" text,
    "state" integer NOT NULL DEFAULT (0),
    "code" text,
    "message_id" text,
    "created_at" integer NOT NULL,
    "updated_at" integer NOT NULL,
    "content" text NOT NULL,
    CONSTRAINT "outbox_state_known" CHECK (state BETWEEN 0 AND 4),
    CONSTRAINT "outbox_receipt_exists" FOREIGN KEY ("ingest_seq") REFERENCES "receipts" ("ingest_seq")
      ON DELETE CASCADE ON UPDATE NO ACTION
  )`,
  `CREATE TABLE "outbound_ids" (
    "message_id" text PRIMARY KEY NOT NULL,
    "channel_id" text NOT NULL,
    "created_at" integer NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE "host_watermarks" (
    "instance" text PRIMARY KEY NOT NULL,
    "seq" integer NOT NULL,
    "updated_at" integer NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE "ledger_meta" (
    "id" integer PRIMARY KEY NOT NULL,
    "epoch" integer NOT NULL,
    "origin" text,
    "agent_id" text,
    "settings" text,
    "probes" integer NOT NULL DEFAULT (0),
    CONSTRAINT "ledger_meta_one_row" CHECK (id = 1))`,
];

const INDEXES = [
  'CREATE UNIQUE INDEX "receipts_dedupe_key" ON "receipts" ("dedupe_key")',
  'CREATE INDEX "receipts_open" ON "receipts" ("lane", "state") WHERE state < 4',
  'CREATE INDEX "receipts_claim" ON "receipts" ("claim") WHERE claim IS NOT NULL',
  'CREATE INDEX "receipts_failed" ON "receipts" ("state") WHERE state = 5',
  'CREATE INDEX "receipts_task" ON "receipts" ("task_opened_at") WHERE task_opened_at IS NOT NULL',
  'CREATE INDEX "outbox_receipt" ON "outbox" ("ingest_seq")',
  'CREATE INDEX "outbox_handle" ON "outbox" ("handle", "part") WHERE handle IS NOT NULL',
  'CREATE INDEX "outbox_unconfirmed" ON "outbox" ("state") WHERE state <> 2',
];

/** The first schema: receipts, outbox, ids of own messages, watermarks of Hermes processes, owner and epoch. */
export class CreateLedger1795996800000 implements MigrationInterface {
  /** Creates the tables and the one row of `ledger_meta`. */
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES]) await runner.query(statement);
    await runner.query('INSERT INTO "ledger_meta" ("id", "epoch") VALUES (1, 0)');
  }

  /** Removes them with everything in them. */
  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['ledger_meta', 'host_watermarks', 'outbound_ids', 'outbox', 'receipts']) {
      await runner.query(`DROP TABLE "${table}"`);
    }
  }
}
