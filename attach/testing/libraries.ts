import type { Preset } from "../contract/preset";
import { BRANDUR_TABLES, insertBrandurRows } from "../presets/brandur/fixtures";
import { CAP_TABLES, insertCapRows } from "../presets/cap/fixtures";
import { DBOS_INSERTS, DBOS_TABLES } from "../presets/dbos/fixtures";
import { DEBEZIUM_TABLES, debeziumRows } from "../presets/debezium/fixtures";
import { DJANGO_OUTBOX_TABLES, insertDjangoOutboxRows } from "../presets/django-outbox-pattern/fixtures";
import { EVENTUATE_INSERTS, EVENTUATE_TABLES } from "../presets/eventuate/fixtures";
import { graphileJobsInEachState, startGraphileWorker } from "../presets/graphile-worker/fixtures";
import { GRUELBOX_TABLES, insertGruelboxRows } from "../presets/gruelbox/fixtures";
import { IDEMPOT_TABLES, insertIdempotRows } from "../presets/idempot-js/fixtures";
import { MASSTRANSIT_TABLES, masstransitRows } from "../presets/masstransit/fixtures";
import {
  MODULITH_V1_ARCHIVED,
  MODULITH_V2_ARCHIVED,
  modulithV1Rows,
  modulithV1Table,
  modulithV2Rows,
  modulithV2Table,
} from "../presets/modulith-v1/fixtures";
import { NESTARC_TABLES, insertNestarcRows } from "../presets/nestarc-idempotency/fixtures";
import { NODE_IDEMPOTENCY_TABLES, insertNodeIdempotencyRows } from "../presets/node-idempotency/fixtures";
import { OAGUDO_OUTBOX_TABLES, insertOagudoOutboxRows } from "../presets/oagudo-outbox/fixtures";
import { OBAN_INSERTS, OBAN_TABLES } from "../presets/oban/fixtures";
import { pgBossJobs, startPgBoss } from "../presets/pg-boss-10/fixtures";
import { PG_BOSS_11_INSERTS, PG_BOSS_11_TABLES } from "../presets/pg-boss-11/fixtures";
import { PG_TRANSACTIONAL_OUTBOX_TABLES, pgTransactionalOutboxRows } from "../presets/pg-transactional-outbox/fixtures";
import { RAILS_OUTBOX_TABLES, insertRailsOutboxRows } from "../presets/rails-transactional-outbox/fixtures";
import { RIVER_INSERTS, RIVER_TABLES } from "../presets/river/fixtures";
import { WOLVERINE_TABLES, wolverineRows } from "../presets/wolverine/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "./foreign-database";

/** SQL, or what does it by the library itself. */
type Made = string | ((database: ForeignDatabase) => Promise<unknown>);

interface Library {
  /** Its tables. */
  readonly tables: Made;
  /** A row of each state, into tables that have none. */
  readonly rows: Made;
  /** The tables that get long, each with what holds of the row that nearly all are like in a business that runs well. */
  readonly long: Readonly<Record<string, string>>;
}

/** The tables of each library: as its own SQL makes them, or as it makes them itself. By the id of its preset. */
export const LIBRARIES: Readonly<Record<string, Library>> = {
  brandur: {
    tables: BRANDUR_TABLES,
    rows: insertBrandurRows,
    long: { "public.idempotency_keys": "recovery_point = 'finished'" },
  },
  cap: {
    tables: CAP_TABLES,
    rows: (database) => insertCapRows(database, "UTC"),
    long: { "cap.published": `"StatusName" = 'Succeeded'`, "cap.received": `"StatusName" = 'Succeeded'` },
  },
  dbos: { tables: DBOS_TABLES, rows: DBOS_INSERTS, long: { "dbos.workflow_status": "status = 'SUCCESS'" } },
  debezium: { tables: DEBEZIUM_TABLES, rows: debeziumRows(), long: { "public.outbox": "payload is not null" } },
  "django-outbox-pattern": {
    tables: DJANGO_OUTBOX_TABLES,
    rows: insertDjangoOutboxRows,
    long: { "public.published": "status = 2", "public.received": "status = 2" },
  },
  eventuate: {
    tables: EVENTUATE_TABLES,
    rows: EVENTUATE_INSERTS,
    long: { "eventuate.message": "published = 1", "eventuate.received_messages": "true" },
  },
  "graphile-worker": {
    tables: async (database) => (await startGraphileWorker(database)).release(),
    async rows(database) {
      const utils = await startGraphileWorker(database);
      await graphileJobsInEachState(utils, database);
      await utils.release();
    },
    // A job that is done is gone: what there is many of waits.
    long: { "graphile_worker._private_jobs": "attempts = 0 and locked_at is null and run_at <= now()" },
  },
  gruelbox: {
    tables: GRUELBOX_TABLES,
    rows: (database) => insertGruelboxRows(database, "UTC"),
    long: { "public.txno_outbox": "processed and nextattempttime > now()" },
  },
  "idempot-js": {
    tables: IDEMPOT_TABLES,
    rows: insertIdempotRows,
    long: { "public.idempotency_records": "key = 'done'" },
  },
  masstransit: {
    tables: MASSTRANSIT_TABLES,
    rows: masstransitRows(),
    long: {
      '"OutboxMessage"': `"OutboxId" is not null and "EnqueueTime" is null`,
      '"OutboxState"': "true",
      '"InboxState"': `"Delivered" < now() - interval '1 hour'`,
    },
  },
  "modulith-v1": {
    tables: modulithV1Table("event_publication") + modulithV1Table("event_publication_archive"),
    rows: modulithV1Rows() + MODULITH_V1_ARCHIVED,
    long: { event_publication: "completion_date is not null", event_publication_archive: "true" },
  },
  "modulith-v2": {
    tables: modulithV2Table("event_publication") + modulithV2Table("event_publication_archive"),
    rows: modulithV2Rows() + MODULITH_V2_ARCHIVED,
    long: { event_publication: "status = 'COMPLETED'", event_publication_archive: "true" },
  },
  "nestarc-idempotency": {
    tables: NESTARC_TABLES,
    rows: insertNestarcRows,
    long: { "public.idempotency_records": "status = 'COMPLETED' and expires_at > now()" },
  },
  "node-idempotency": {
    tables: NODE_IDEMPOTENCY_TABLES,
    rows: insertNodeIdempotencyRows,
    long: { "node_idempotency.idempotency": "key like '%:done'" },
  },
  "oagudo-outbox": {
    tables: OAGUDO_OUTBOX_TABLES,
    rows: insertOagudoOutboxRows,
    // A message that is sent is gone: what there is many of waits.
    long: { "public.outbox": "times_attempted = 0 and scheduled_at < now()" },
  },
  oban: { tables: OBAN_TABLES, rows: OBAN_INSERTS, long: { "public.oban_jobs": "state = 'completed'" } },
  "pg-boss-10": {
    tables: async (database) => (await startPgBoss(database)).stop(),
    async rows(database) {
      const boss = await startPgBoss(database);
      await pgBossJobs(boss, database);
      await boss.stop({ graceful: false, wait: true });
    },
    long: { "pgboss.job": "state = 'completed'", "pgboss.archive": "true" },
  },
  "pg-boss-11": {
    tables: PG_BOSS_11_TABLES,
    rows: PG_BOSS_11_INSERTS,
    long: { "pgboss.job": "state = 'completed'" },
  },
  "pg-transactional-outbox": {
    tables: PG_TRANSACTIONAL_OUTBOX_TABLES,
    rows: `${pgTransactionalOutboxRows("outbox")};${pgTransactionalOutboxRows("inbox")}`,
    long: { "public.outbox": "processed_at is not null", "public.inbox": "processed_at is not null" },
  },
  "rails-transactional-outbox": {
    tables: RAILS_OUTBOX_TABLES,
    rows: insertRailsOutboxRows,
    long: { "public.outbox_entries": "processed_at is not null" },
  },
  river: { tables: RIVER_TABLES, rows: RIVER_INSERTS, long: { "public.river_job": "state = 'completed'" } },
  wolverine: {
    tables: WOLVERINE_TABLES,
    rows: wolverineRows(),
    long: {
      "wolverine.wolverine_incoming_envelopes": "status = 'Handled'",
      "wolverine.wolverine_outgoing_envelopes": "owner_id > 0 and deliver_by > now()",
      "wolverine.wolverine_dead_letters": "not replayable",
    },
  },
};

/** A database of somebody who uses the library of a preset, without rows. */
export async function createLibraryDatabase(id: string): Promise<ForeignDatabase> {
  const { tables } = LIBRARIES[id] ?? { tables: "" };
  const database = await createForeignDatabase(typeof tables === "string" ? tables : "select 1");
  if (typeof tables !== "string") await tables(database);
  return database;
}

const GIVEN = { integer: "10", zone: "UTC", interval: "1 hour", boolean: "true" } as const;

/** The constants of a preset: its defaults, and something where only an owner could say. */
export const constantsOf = (preset: Preset): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(preset.constants).map(([name, constant]) => [name, constant.default ?? GIVEN[constant.kind]]),
  );
