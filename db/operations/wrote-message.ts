import { sql, type SQL } from "drizzle-orm";

/**
 * Whether an operation wrote a message to the outbox, whatever became of it since: it waits, was published, closed or discarded. A
 * message is published no earlier than its operation began, so only the days from then on are read.
 *
 * @param of the row's operation id and when it was created
 */
export function wroteMessage(tenantId: string, of: { readonly id: SQL; readonly createdAt: SQL }): SQL {
  return sql`(exists (select from onceboard.outbox_messages w where w.tenant_id = ${tenantId} and w.operation_id = ${of.id})
  or exists (select from onceboard.outbox_history w where w.tenant_id = ${tenantId} and w.operation_id = ${of.id}
    and w.day >= (${of.createdAt} at time zone 'utc')::date))`;
}
