import type { Queryable } from "@/db/client";
import { textRows } from "@/db/query";

export interface OperationNamesRow {
  /** Of an effect as the kind of its operation names it, such as `payment`; of a notification `receipt`, `notice` or `webhook`. */
  readonly kind: string;
  /** It tells people or merchants of the operation; the operation did not make it. */
  readonly told: boolean;
  readonly id: string;
  readonly providerKey?: string | undefined;
  readonly providerReference?: string | undefined;
}

/** The business rows an operation made, and the notifications kept for it. */
export async function selectOperationNames(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<OperationNamesRow[]> {
  return textRows<OperationNamesRow>(
    q,
    `select f.kind, false as told, f.id, f.provider_key, f.provider_reference from onceboard.effects f where f.tenant_id = $1 and f.operation_id = $2
union all select n.kind, true, n.notification_key, null, null from onceboard.notifications n where n.tenant_id = $1 and n.operation_id = $2`,
    [tenantId, operationId],
  );
}

const SOURCES = {
  operations:
    "select r.tenant_id from onceboard.idempotency_requests r where r.operation_id = $2::uuid and r.tenant_id = any($1::text[])",
  outbox: `select m.tenant_id from onceboard.outbox_messages m where m.id = $2::uuid and m.tenant_id = any($1::text[])
union all select h.tenant_id from onceboard.outbox_history h where h.id = $2::uuid and h.tenant_id = any($1::text[])`,
  inbox: "select m.tenant_id from onceboard.inbox_messages m where m.id = $2::uuid and m.tenant_id = any($1::text[])",
  plans: "select p.tenant_id from onceboard.plans p where p.id = $2::uuid and p.tenant_id = any($1::text[])",
} as const;
/** Things with a page of their own. */
export type OwnPage = keyof typeof SOURCES;

/** More than two would mean that an id was given twice; the first is taken then. */
const MOST = 2;

/** Which of these tenants have the row behind a page. @param tenants at most one page of tenants */
export async function selectTenantsOf(
  q: Queryable,
  page: OwnPage,
  id: string,
  tenants: readonly string[],
): Promise<string[]> {
  const rows = await textRows<{ tenantId: string }>(q, `${SOURCES[page]} limit ${String(MOST)}`, [tenants, id]);
  return rows.map((row) => row.tenantId);
}
