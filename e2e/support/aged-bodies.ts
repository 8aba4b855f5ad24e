import { createDatabase } from "@/db/client";
import type { ApiFixture } from "./fixtures";
import type { StackInfo } from "./stack-info";

/** Bodies of these operations were written a second more than the retention ago. @param age PostgreSQL's interval; "0": just now */
export async function backdate(
  api: ApiFixture,
  operationIds: readonly string[],
  age = "24 hours 1 second",
): Promise<void> {
  await api.rows(
    `with moved as (
  update onceboard.idempotency_bodies set created_at = now() - $2::interval,
    day = ((now() - $2::interval) at time zone 'utc')::date
  where operation_id = any ($1::uuid[]) returning operation_id, day)
update onceboard.idempotency_requests r set body_day = m.day from moved m where r.operation_id = m.operation_id`,
    operationIds,
    age,
  );
}

/**
 * The worker purges by itself too, but leaves alone what is locked: a person comes first. The connection is the test's own: where
 * the test ends early it goes with the test's process.
 * @returns lets go, once
 */
export async function keptFromTheWorker(
  { databaseUrl }: StackInfo,
  operationIds: readonly string[],
): Promise<() => Promise<void>> {
  const db = createDatabase({ url: databaseUrl, max: 1, applicationName: "e2e lock", role: "owner" });
  const client = await db.pool.connect();
  await client.query("begin");
  await client.query("set local idle_in_transaction_session_timeout = 0");
  await client.query("select 1 from onceboard.idempotency_requests where operation_id = any ($1::uuid[]) for update", [
    operationIds,
  ]);
  return async () => {
    await client.query("commit");
    client.release();
    await db.close();
  };
}
