import type { Queryable } from "@/db/client";

/**
 * Who asked first: the request id of the first claim of an operation. Its day is that of the operation itself, so
 * one partition is read.
 *
 * @returns undefined when the events of that day were dropped
 */
export async function firstRequestId(
  db: Queryable,
  tenantId: string,
  operation: { readonly operationId: string; readonly createdAt: Date },
): Promise<string | undefined> {
  const { rows } = await db.query<{ request_id: string }>({
    name: "first_request_id",
    text: `select e.request_id from onceboard.idempotency_events e
            where e.tenant_id = $1 and e.operation_id = $2 and e.day = ($3::timestamptz at time zone 'utc')::date
              and e.type = 'claimed' and e.request_id is not null
            order by e.at, e.fence limit 1`,
    values: [tenantId, operation.operationId, operation.createdAt],
  });
  return rows[0]?.request_id;
}
