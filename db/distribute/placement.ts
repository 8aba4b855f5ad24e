/** Where a table lies once a database is distributed over several machines (docs/scale/citus.md). */
export type Placement = "by tenant" | "on every node" | "coordinator";

/** Read by functions that run beside the rows of one tenant: each node has all of it. Few rows that hardly change. */
export const ON_EVERY_NODE: readonly string[] = ["operation_kinds", "restores", "tenants"];

/**
 * What belongs to no tenant, or is looked up before its tenant is known. `api_keys` is unique by its id alone, and a person's grants lie
 * beside the person.
 */
export const AT_COORDINATOR: readonly string[] = [
  "api_clients",
  "api_keys",
  "audit_chain_checks",
  "audit_checkpoints",
  "audit_sinks",
  "database_place",
  "evidence_constraints",
  "evidence_relations",
  "functions_history",
  "functions_revision",
  "migration_progress",
  "migrations",
  "module_migrations",
  "operator_accounts",
  "operator_grants",
  "operator_ties",
  "operators",
  "sessions",
  "two_factors",
  "verifications",
  "worker_heartbeats",
];

/** @returns where a table of ours lies: whatever is on no list is distributed by its tenant */
export function placementOf(table: string): Placement {
  if (ON_EVERY_NODE.includes(table)) return "on every node";
  return AT_COORDINATOR.includes(table) ? "coordinator" : "by tenant";
}

/** All distributed tables are beside this one, tenant by tenant. */
export const COLOCATED_WITH = "onceboard.idempotency_requests";

const POSITION = "draws the position of a message: positions of two nodes would not be in the order of their writing";
const PEOPLE = "reads who stands behind a client: people and keys are at the coordinator";

/**
 * Functions of one tenant that stay at the coordinator, and why. Every other function whose first argument is the tenant runs on the node
 * that has the tenant's rows, when it is called alone.
 */
export const NOT_DELEGATED: Readonly<Record<string, string>> = {
  complete: POSITION,
  correct_outbox: POSITION,
  enqueue_outbox: POSITION,
  republish_outbox: POSITION,
  decide_plan: PEOPLE,
  people_behind: PEOPLE,
  same_person: PEOPLE,
  weigh_plan: PEOPLE,
};

/** What functions are told on a distributed database, and why. */
export const SETTINGS_ON_NODES: Readonly<Record<string, { readonly set: string; readonly why: string }>> = {
  compose_evidence: {
    set: "citus.enable_ddl_propagation = off",
    why: "the views of evidence are read at the coordinator alone; a node would not have the tables that a module is just making",
  },
  drop_partitions: {
    set: "citus.multi_shard_modify_mode = sequential",
    why: "one connection to each node: two would wait for each other",
  },
  ensure_partitions: {
    set: "citus.multi_shard_modify_mode = sequential",
    why: "one connection to each node: two would wait for each other",
  },
  roll_up: {
    set: "citus.allow_nested_distributed_execution = on",
    why: "it inserts rows of a function that reads committed events of the same tenant, on the node that has them",
  },
};
