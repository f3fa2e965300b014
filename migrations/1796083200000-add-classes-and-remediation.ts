// SPDX-License-Identifier: Apache-2.0
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of `receipts` that both schemas have, in the order of both. */
const KEPT_COLUMNS = `"ingest_seq", "dedupe_key", "evidence", "sightings", "state", "kind", "lane", "channel_id", "channel_type", "message_id",
  "author_id", "author_name", "context", "source_created_at", "received_at", "claim", "attempt", "released", "started_at", "withdrawn",
  "task_opened_at", "ended_at", "outcome", "error_code"`;

/** Written again instead of altered, so that the texts stay the last columns: reading the others never walks through them. */
const RECEIPTS = `CREATE TABLE "receipts" (
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
    "dispatch_class" integer NOT NULL DEFAULT (0) CHECK (dispatch_class BETWEEN 0 AND 3),
    "emptied" integer NOT NULL DEFAULT (0),
    "body" text NOT NULL,
    "source_body" text,
    CONSTRAINT "receipts_state_known" CHECK (state BETWEEN 0 AND 5),
    CONSTRAINT "receipts_dedupe_key_length" CHECK (length(dedupe_key) = 16))`;

/** As the first schema has it: it is written again only because it refers to `receipts`. */
const OUTBOX = `CREATE TABLE "outbox" (
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
  )`;

const NEW_TABLES = [
  `CREATE TABLE "questions" (
    "instance" text NOT NULL,
    "id" text NOT NULL,
    "ingest_seq" integer NOT NULL,
    "claim" text NOT NULL,
    "lane" text NOT NULL,
    "kind" text NOT NULL,
    "state" integer NOT NULL,
    "opened_at" integer NOT NULL,
    "closed_at" integer,
    PRIMARY KEY ("instance", "id"),
    CONSTRAINT "questions_state_known" CHECK (state BETWEEN 0 AND 3),
    CONSTRAINT "questions_receipt_exists" FOREIGN KEY ("ingest_seq") REFERENCES "receipts" ("ingest_seq")
      ON DELETE CASCADE ON UPDATE NO ACTION
  ) WITHOUT ROWID`,
  `CREATE TABLE "receipt_history" (
    "ingest_seq" integer NOT NULL,
    "number" integer NOT NULL,
    "at" integer NOT NULL,
    "event" text NOT NULL,
    "detail" text,
    "actor" text,
    "reason" text,
    PRIMARY KEY ("ingest_seq", "number"),
    CONSTRAINT "receipt_history_receipt_exists" FOREIGN KEY ("ingest_seq") REFERENCES "receipts" ("ingest_seq")
      ON DELETE CASCADE ON UPDATE NO ACTION
  ) WITHOUT ROWID`,
  `CREATE TABLE "remediations" (
    "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
    "at" integer NOT NULL,
    "ingest_seq" integer NOT NULL,
    "lane" text NOT NULL,
    "dispatch_class" integer NOT NULL,
    "action" text NOT NULL,
    "actor" text NOT NULL,
    "reason" text NOT NULL,
    "reset_at" integer,
    CONSTRAINT "remediations_action_known" CHECK (action IN ('discard', 'requeue')))`,
  `CREATE TABLE "pauses" (
    "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
    "name" text NOT NULL,
    "since" integer NOT NULL,
    "actor" text NOT NULL,
    "ended_at" integer,
    "ended_by" text)`,
  `CREATE TABLE "seen_keys" (
    "dedupe_key" blob NOT NULL,
    "ingest_seq" integer NOT NULL,
    "state" integer NOT NULL,
    "ended_at" integer NOT NULL,
    CONSTRAINT "seen_keys_dedupe_key_length" CHECK (length(dedupe_key) = 16),
    PRIMARY KEY ("dedupe_key")
  ) WITHOUT ROWID`,
];

/** Indexes of the tables that are written again and that both schemas have. */
const KEPT_INDEXES = [
  'CREATE UNIQUE INDEX "receipts_dedupe_key" ON "receipts" ("dedupe_key")',
  'CREATE INDEX "receipts_claim" ON "receipts" ("claim") WHERE claim IS NOT NULL',
  'CREATE INDEX "receipts_task" ON "receipts" ("task_opened_at") WHERE task_opened_at IS NOT NULL',
  'CREATE INDEX "outbox_receipt" ON "outbox" ("ingest_seq")',
  'CREATE INDEX "outbox_handle" ON "outbox" ("handle", "part") WHERE handle IS NOT NULL',
  'CREATE INDEX "outbox_unconfirmed" ON "outbox" ("state") WHERE state <> 2',
];

const NEW_INDEXES = [
  'CREATE INDEX "receipts_lane" ON "receipts" ("lane")',
  'CREATE INDEX "receipts_state" ON "receipts" ("state", "dispatch_class")',
  'CREATE INDEX "receipts_ended" ON "receipts" ("emptied", "ended_at") WHERE ended_at IS NOT NULL',
  'CREATE INDEX "outbound_ids_created" ON "outbound_ids" ("created_at")',
  'CREATE INDEX "questions_receipt" ON "questions" ("ingest_seq")',
  'CREATE INDEX "questions_open" ON "questions" ("lane") WHERE state < 2',
  'CREATE INDEX "remediations_reset" ON "remediations" ("reset_at")',
  'CREATE UNIQUE INDEX "pauses_current" ON "pauses" ("name") WHERE ended_at IS NULL',
  'CREATE INDEX "pauses_ended" ON "pauses" ("ended_at")',
  'CREATE INDEX "seen_keys_ended" ON "seen_keys" ("ended_at")',
];

const OLD_INDEXES = [
  'CREATE INDEX "receipts_open" ON "receipts" ("lane", "state") WHERE state < 4',
  'CREATE INDEX "receipts_failed" ON "receipts" ("state") WHERE state = 5',
];

/**
 * Dispatch classes, questions of Hermes, the operator's decisions with their audit rows, pauses, and what retention needs. The indexes over open
 * and failed receipts give way to one over all states and classes and one over lanes: a move then changes two numbers instead of a lane's name.
 */
export class AddClassesAndRemediation1796083200000 implements MigrationInterface {
  /** Keeps every row; receipts of the first schema are of the ordinary class. */
  async up(runner: QueryRunner): Promise<void> {
    await run(runner, [
      'ALTER TABLE "receipts" RENAME TO "receipts_before"',
      RECEIPTS,
      `INSERT INTO "receipts" (${KEPT_COLUMNS}, "body") SELECT ${KEPT_COLUMNS}, "body" FROM "receipts_before"`,
      'ALTER TABLE "outbox" RENAME TO "outbox_before"',
      OUTBOX,
      'INSERT INTO "outbox" SELECT * FROM "outbox_before"',
      // Numbers are never used twice, so the counters go on where they were.
      ...['receipts', 'outbox'].flatMap((table) => [
        `DELETE FROM "sqlite_sequence" WHERE name = '${table}'`,
        `UPDATE "sqlite_sequence" SET name = '${table}' WHERE name = '${table}_before'`,
      ]),
      // The child first: to drop the parent would remove its rows.
      'DROP TABLE "outbox_before"',
      'DROP TABLE "receipts_before"',
      'ALTER TABLE "ledger_meta" ADD COLUMN "commands" text',
      ...NEW_TABLES,
      ...KEPT_INDEXES,
      ...NEW_INDEXES,
    ]);
  }

  /** Goes back to the first schema; what only this one can hold is lost. */
  async down(runner: QueryRunner): Promise<void> {
    const tables = ['questions', 'receipt_history', 'remediations', 'pauses', 'seen_keys'];
    const indexes = ['receipts_lane', 'receipts_state', 'receipts_ended', 'outbound_ids_created'];
    const columns = ['dispatch_class', 'emptied', 'source_body'];
    await run(runner, [
      ...tables.map((table) => `DROP TABLE "${table}"`),
      ...indexes.map((index) => `DROP INDEX "${index}"`),
      ...columns.map((column) => `ALTER TABLE "receipts" DROP COLUMN "${column}"`),
      'ALTER TABLE "ledger_meta" DROP COLUMN "commands"',
      ...OLD_INDEXES,
    ]);
  }
}

async function run(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runner.query(statement);
}
