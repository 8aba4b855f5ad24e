/** What DBOS for Python 3.4 makes, without what only it needs. */
export const DBOS_TABLES = `
create schema dbos;
create table dbos.workflow_status (
  workflow_uuid text primary key, status text, name text, authenticated_user text, output text, error text, executor_id text,
  created_at bigint not null, updated_at bigint not null, application_version text, recovery_attempts bigint default 0,
  queue_name text, workflow_deadline_epoch_ms bigint, inputs text, started_at_epoch_ms bigint, deduplication_id text,
  priority integer not null default 0, owner_xid text, completed_at bigint);
create index on dbos.workflow_status (created_at);
create index on dbos.workflow_status (status, created_at) where status in ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED');
create unique index on dbos.workflow_status (queue_name, deduplication_id) where deduplication_id is not null;
create table dbos.workflow_output (workflow_uuid text primary key, output text, error text, retention_timestamp bigint not null default 0);
create table dbos.operation_outputs (
  workflow_uuid text not null, function_id integer not null, function_name text not null, output text, error text,
  primary key (workflow_uuid, function_id));`;

export const DBOS_ROWS = [
  { id: "delayed", state: "in_progress", status: "DELAYED" },
  { id: "waits", state: "in_progress", status: "ENQUEUED" },
  { id: "runs", state: "in_progress", status: "PENDING" },
  { id: "done", state: "done", status: "SUCCESS" },
  { id: "raised", state: "failed", status: "ERROR" },
  { id: "cancelled", state: "failed", status: "CANCELLED" },
  { id: "lost", state: "failed", status: "MAX_RECOVERY_ATTEMPTS_EXCEEDED" },
  { id: "of later", state: "unknown", status: "PAUSED" },
] as const;

/** A workflow in each state, a second after the other. */
export const DBOS_INSERTS = `
insert into dbos.workflow_status (workflow_uuid, status, name, authenticated_user, executor_id, created_at, updated_at, recovery_attempts,
  queue_name, workflow_deadline_epoch_ms, started_at_epoch_ms, owner_xid, completed_at)
select id, status, 'ship', 'ann', 'local', 1772366400000 + n * 1000, 1772366460000 + n * 1000, 2, 'orders', 1772370000000, 1772366401000,
  'x', case when status in ('SUCCESS', 'ERROR') then 1772366460000 + n * 1000 end
from (values ${DBOS_ROWS.map(({ id, status }, n) => `(${String(n)}, '${id}', '${status}')`).join(", ")}) as row_of(n, id, status);
insert into dbos.workflow_output (workflow_uuid, output, error) values ('done', '"é"', null), ('raised', null, 'ConnectionError');`;
