import type { ForeignDatabase } from "../../testing/foreign-database";

/** The table as @node-idempotency/postgres-adapter makes it. */
export const NODE_IDEMPOTENCY_TABLES = `
create schema node_idempotency;
create unlogged table node_idempotency.idempotency (
  key varchar(255) primary key, created_at timestamptz default now() not null, data text, expires_at timestamptz not null);
create index idx_idempotency_expires_at on node_idempotency.idempotency (expires_at);`;

const PREFIX = "node-idempotency:POST:/orders";
const PROGRESS = '{"status":"IN_PROGRESS","fingerPrint":"ab12"}';
const COMPLETE =
  '{"status":"COMPLETE","fingerPrint":"ab12","response":{"body":{"id":1},"additional":{"statusCode":201}}}';

/** First creation and end in minutes from now, in the order of their end; a key is kept for 24 hours. */
export const NODE_IDEMPOTENCY_ROWS = [
  { key: `${PREFIX}:expired`, state: "expired", data: COMPLETE, began: -1500, ends: -60 },
  { key: `${PREFIX}:stale`, state: "in_progress", data: PROGRESS, began: -30, ends: 1410 },
  { key: `${PREFIX}/a:b:done`, state: "done", data: COMPLETE, began: -20, ends: 1420 },
  { key: "no parts", state: "unknown", data: '["status"]', began: -10, ends: 1430 },
  // Used again after its time: only its end says that it is young.
  { key: `${PREFIX}:young`, state: "in_progress", data: PROGRESS, began: -9000, ends: 1439 },
] as const;

/** A key in each state. */
export async function insertNodeIdempotencyRows(database: ForeignDatabase): Promise<void> {
  for (const { key, data, began, ends } of NODE_IDEMPOTENCY_ROWS)
    await database.run(
      `insert into node_idempotency.idempotency values ($1, now() + $2 * interval '1 minute', $3, now() + $4 * interval '1 minute')`,
      [key, began, data, ends],
    );
}
