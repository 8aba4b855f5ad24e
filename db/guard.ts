import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Queryable } from "./client";
import { databaseErrorCode } from "./errors";
import { APP_ROLE } from "./roles";
/** For services in other languages (docs/SQL-CONTRACT.md): some functions, and no table at all. */
export const SERVICE_ROLE = "onceboard_service";

type Privilege = "insert" | "update" | "delete";

const ALL: readonly Privilege[] = ["insert", "update", "delete"];

/**
 * What APP_ROLE may write by itself. Every other table belongs to the state machine, its evidence or its roll-ups: only a
 * function of db/ writes it, so no state is left without the right fence and the expected state. Each table has
 * its row here; db/guard.db.test.ts fails for one that nobody decided.
 */
export const TABLE_GRANTS: Readonly<Record<string, readonly Privilege[]>> = {
  alert_destinations: ALL,
  alert_rules: ["insert", "update"],
  alert_turns: ["insert", "update"],
  alerts: ALL,
  attached_acts: ALL,
  attached_samples: ["insert", "delete"],
  attachments: ["insert", "update"],
  api_clients: ["insert", "update"],
  api_keys: ["insert", "update"],
  event_sources: ["insert", "update"],
  notifications: ["insert", "update"],
  operation_policies: [],
  operator_accounts: ALL,
  operator_grants: ALL,
  operators: ALL,
  retention_runs: ["insert"],
  sessions: ALL,
  tenants: ["insert", "update"],
  verifications: ALL,
  webhook_endpoints: ALL,
  webhook_secrets: ALL,
  worker_heartbeats: ALL,
  conflict_marks: ALL,
  deploys: ["insert"],
  saved_views: ALL,
  two_factors: ALL,

  audit_chain_checks: ["insert", "update"],
  audit_checkpoints: ["insert", "delete"],
  audit_entries: [],
  audit_heads: [],
  audit_sinks: ALL,
  count_snapshots: [],
  data_keys: [],
  database_place: [],
  dead_letters: [],
  evidence_constraints: [],
  evidence_relations: [],
  functions_history: [],
  functions_revision: [],
  idempotency_bodies: [],
  idempotency_events: [],
  idempotency_open: [],
  idempotency_requests: [],
  inbox_arrivals: [],
  inbox_batches: [],
  inbox_messages: [],
  inbox_open: [],
  inbox_versions: [],
  message_attempts: [],
  message_corrections: [],
  invariant_checks: [],
  metric_bins: [],
  metric_buckets: [],
  metric_clients: [],
  metric_client_days: [],
  metric_gauges: [],
  metric_hours: [],
  metric_messages: [],
  metric_minutes: [],
  metric_refusals: [],
  metric_suppressed: [],
  migration_progress: [],
  migrations: [],
  module_migrations: [],
  operation_kinds: [],
  operator_requests: [],
  operator_ties: [],
  outbox_history: [],
  outbox_messages: [],
  plan_items: [],
  plans: [],
  provider_requests: [],
  restores: [],
  settled_doubts: [],
  single_acts: [],
  topic_circuits: [],
  topics: [],
};

/** What SERVICE_ROLE may call: the chapters of docs/SQL-CONTRACT.md. */
export const SERVICE_FUNCTIONS: readonly string[] = [
  "answer_provider",
  "claim",
  "claim_inbox",
  "claim_recovery",
  "complete",
  "confirm_provider",
  "ensure_data_key",
  "extend_lease",
  "fail_inbox",
  "fail_retryable",
  "finish_inbox",
  "journal_provider_request",
  "mark_sent",
  "mark_unknown",
  "operation_overrides",
  "operation_policy",
  "postpone_inbox",
  "prepare_provider",
  "receive",
  "record_events",
  "register_operation_kind",
  "take_over",
];

/** What only the owner of the schema may call: it decides what is read with the owner's rights. */
export const OWNER_FUNCTIONS: readonly string[] = [
  "compose_evidence",
  "evidence_select",
  "mark_restored",
  "register_evidence",
  "register_unique",
  "withdraw_evidence",
];

/** What makes, drops and analyzes tables, which only their owner may. */
const CHANGES_TABLES: readonly string[] = ["analyze_grown", "drop_partitions", "ensure_partitions"];

/** Raised when what {@link applyGrants} does changes: the revision must differ. */
const GRANTS_VERSION = 3;
/** Two migrations of one cluster that touch a role at the same moment: the later one looks again. */
const RACES = new Set(["42710", "23505", "XX000", "40001"]);
const ROLE_TRIES = 8;
const ROLE_RETRY_MS = 25;
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Makes the two roles, as far as the user of this connection may, and lets that user be APP_ROLE. Roles belong to the whole
 * cluster, so several databases may be at it at once.
 *
 * @returns what stands for the roles in the revision of the grants: other roles are other grants
 */
export async function ensureRoles(client: pg.ClientBase): Promise<string> {
  const oids: string[] = [];
  for (const role of [APP_ROLE, SERVICE_ROLE]) {
    for (let tries = 1; ; tries += 1) {
      try {
        oids.push(await ensureRole(client, role));
        break;
      } catch (error) {
        const code = databaseErrorCode(error);
        if (code === undefined || !RACES.has(code) || tries === ROLE_TRIES) throw error;
        await delay(ROLE_RETRY_MS * tries * (0.5 + Math.random()));
      }
    }
  }
  return oids.join(",");
}

async function ensureRole(client: pg.ClientBase, role: string): Promise<string> {
  const { rows } = await client.query<{ oid: string | null; may: boolean }>(
    `select (select r.oid::text from pg_roles r where r.rolname = $1) as oid,
            (select r.rolsuper or r.rolcreaterole from pg_roles r where r.rolname = current_user) as may`,
    [role],
  );
  const [row] = rows;
  if (row?.oid === null) {
    if (!row.may) return "none";
    await client.query(`create role ${role} nologin`);
    return ensureRole(client, role);
  }
  if (role === APP_ROLE) await joinRole(client, role);
  return row?.oid ?? "none";
}

/** Who made a role may not be it yet (PostgreSQL 16), and who may not grant it stays what it was: {@link guardActive} tells. */
async function joinRole(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ member: boolean }>(
    `select pg_has_role(current_user, $1, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end) as member`,
    [role],
  );
  if (rows[0]?.member === true) return;
  try {
    await client.query(`grant ${role} to current_user`);
  } catch (error) {
    if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
  }
}

/** @returns SHA-256 (hex) over all that {@link applyGrants} would say. */
export function grantsRevision(): string {
  return createHash("sha256")
    .update(JSON.stringify([GRANTS_VERSION, TABLE_GRANTS, SERVICE_FUNCTIONS, OWNER_FUNCTIONS]))
    .digest("hex");
}

/**
 * Says who may do what with the tables and functions of the schema, inside the caller's transaction. Functions that write
 * run with the rights of their owner and with a search path of their own, and nobody may call one without a grant. A day
 * partition gets no grant: it is reached through its table.
 *
 * @param guarded false on a distributed database, where a transaction is one user's: functions run with the rights of whoever calls
 *   them, so both roles may write the tables (docs/decisions/0031-a-distributed-database-has-no-guard.md)
 */
export async function applyGrants(client: pg.ClientBase, guarded = true): Promise<void> {
  for (const { signature, name, writes } of await ownFunctions(client)) {
    await client.query(`revoke all on function ${signature} from public`);
    // What reads or only computes needs no rights of the owner, and can be inlined without them.
    if (writes && (guarded || CHANGES_TABLES.includes(name))) {
      await client.query(`alter function ${signature} security definer set search_path = pg_catalog, pg_temp`);
    }
  }
  const present = await presentRoles(client);
  if (present.has(APP_ROLE)) await grantToApp(client, guarded);
  if (present.has(SERVICE_ROLE)) await grantToService(client, guarded);
}

async function grantToApp(client: pg.ClientBase, guarded: boolean): Promise<void> {
  await client.query(`grant usage on schema onceboard to ${APP_ROLE}`);
  await grantTables(client, APP_ROLE, guarded);
  for (const { signature, name } of await ownFunctions(client)) {
    if (OWNER_FUNCTIONS.includes(name)) continue;
    await client.query(`grant execute on function ${signature} to ${APP_ROLE}`);
  }
}

async function grantTables(client: pg.ClientBase, role: string, guarded: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string; view: boolean }>(
    `select c.relname as name, c.relkind = 'v' as view from pg_class c
     where c.relnamespace = 'onceboard'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition order by 1`,
  );
  for (const { name, view } of rows) {
    await client.query(`revoke all on onceboard.${name} from public, ${role}`);
    const writes = view ? [] : TABLE_GRANTS[name];
    // A table that nobody decided is not even read.
    if (writes === undefined) continue;
    const rights = guarded || view ? writes : ALL;
    await client.query(`grant ${["select", ...rights].join(", ")} on onceboard.${name} to ${role}`);
  }
}

/** Without the guard the functions that it calls run, and call each other, with its own rights. */
async function grantToService(client: pg.ClientBase, guarded: boolean): Promise<void> {
  await client.query(`grant usage on schema onceboard to ${SERVICE_ROLE}`);
  if (!guarded) await grantTables(client, SERVICE_ROLE, guarded);
  for (const { signature, name } of await ownFunctions(client)) {
    const may = SERVICE_FUNCTIONS.includes(name) || (!guarded && !OWNER_FUNCTIONS.includes(name));
    const verb = may ? "grant" : "revoke";
    await client.query(`${verb} execute on function ${signature} ${verb === "grant" ? "to" : "from"} ${SERVICE_ROLE}`);
  }
}

async function ownFunctions(client: pg.ClientBase): Promise<{ signature: string; name: string; writes: boolean }[]> {
  const { rows } = await client.query<{ signature: string; name: string; writes: boolean }>(
    `select p.oid::regprocedure::text as signature, p.proname as name, p.provolatile = 'v' as writes from pg_proc p
     where p.pronamespace = 'onceboard'::regnamespace
       and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
     order by 1`,
  );
  return rows;
}

async function presentRoles(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname = any ($1)",
    [[APP_ROLE, SERVICE_ROLE]],
  );
  return new Set(rows.map((row) => row.name));
}

/** Whether the database refuses a direct write of whoever asks. */
export async function guardActive(q: Queryable): Promise<boolean> {
  const { rows } = await q.query<{ active: boolean }>({
    text: "select not has_table_privilege('onceboard.idempotency_requests', 'insert, update, delete, truncate') as active",
  });
  return rows[0]?.active === true;
}
