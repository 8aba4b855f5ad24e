import type { Queryable } from "@/db/client";
import type { DbRow } from "@/db/query";
import type { idempotencyRequests } from "@/db/schema";
import type { Stage } from "@/domain/idempotency/states";

type RequestRow = DbRow<typeof idempotencyRequests>;
/** What the operation's own row says of its outcome. */
type Outcome = Pick<
  RequestRow,
  "operation" | "state" | "attempts" | "response_status" | "resource_type" | "resource_id" | "error_code"
>;

export interface OperationStatusRow
  extends Outcome, Pick<RequestRow, "operation_id" | "created_at" | "completed_at" | "expires_at"> {
  readonly stage: Stage | null;
  readonly response_schema_version: string | null;
  /** By the database's clock. */
  readonly expired: boolean;
  /** Its key stands for a later operation. */
  readonly set_aside: boolean;
  /** A replay finds its answer. */
  readonly replayable: boolean;
  /** Milliseconds until the lease ends or the next look-up is due; null when nothing is open. */
  readonly due_in_ms: number | null;
}

/** What a caller may know of its operation: never the key, the command or the stored answer. One round trip by index. */
export async function operationStatus(
  db: Queryable,
  tenantId: string,
  operationId: string,
): Promise<OperationStatusRow | undefined> {
  const { rows } = await db.query<OperationStatusRow>({
    name: "operation_status",
    text: `select r.operation_id, r.operation, r.state, o.stage, r.response_status, r.response_schema_version,
                  r.resource_type, r.resource_id, r.error_code, r.attempts, r.created_at, r.completed_at, r.expires_at,
                  r.expires_at <= clock_timestamp() as expired,
                  right(r.key, 47) = ' (expired ' || r.operation_id || ')' as set_aside,
                  r.replay = 'reference' or (r.replay = 'stored' and r.body_purged_at is null) as replayable,
                  (extract(epoch from coalesce(o.locked_until, o.next_check_at) - clock_timestamp()) * 1000)::float8 as due_in_ms
             from onceboard.idempotency_requests r
             left join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id
            where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows[0];
}

export interface OperationForAction extends Outcome, Pick<RequestRow, "fence" | "body_purged_at"> {
  readonly leased: boolean;
  readonly stage: string | null;
}

/** What an operator's action looks at before and after. Never a body. */
export async function operationForAction(
  db: Queryable,
  tenantId: string,
  operationId: string,
): Promise<OperationForAction | undefined> {
  const { rows } = await db.query<OperationForAction>({
    name: "operation_for_action",
    text: `select r.operation, r.state, r.fence, r.attempts, r.response_status, r.error_code, r.resource_type, r.resource_id,
             r.body_purged_at, coalesce(o.locked_until > clock_timestamp(), false) as leased, o.stage
           from onceboard.idempotency_requests r
           left join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id
           where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows[0];
}

export interface OperationByProviderKey extends Pick<RequestRow, "operation_id" | "state"> {
  /** An owner holds its lease now. */
  readonly leased: boolean;
}

/** Which operation did we send under this key? @returns undefined when none of this tenant. */
export async function operationByProviderKey(
  db: Queryable,
  tenantId: string,
  providerKey: string,
): Promise<OperationByProviderKey | undefined> {
  const { rows } = await db.query<OperationByProviderKey>({
    name: "operation_by_provider_key",
    text: `select r.operation_id, r.state, coalesce(o.locked_until > clock_timestamp(), false) as leased
           from onceboard.provider_requests p
           join onceboard.idempotency_requests r on r.tenant_id = p.tenant_id and r.operation_id = p.operation_id
           left join onceboard.idempotency_open o on o.tenant_id = p.tenant_id and o.operation_id = p.operation_id
           where p.tenant_id = $1 and p.provider_key = $2
           limit 1`,
    values: [tenantId, providerKey],
  });
  return rows[0];
}

/**
 * Who asked first: the request id of the first claim of an operation. The local path has no event of its claim, for it commits
 * with the answer, whose event says it. Its day is that of the operation itself, so one partition is read.
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
              and e.type in ('claimed', 'executed') and e.request_id is not null
            order by e.at, e.fence limit 1`,
    values: [tenantId, operation.operationId, operation.createdAt],
  });
  return rows[0]?.request_id;
}

/** @returns how many effect calls of an operation the provider declined for good, by its journal. */
export async function countDeclined(db: Queryable, tenantId: string, operationId: string): Promise<number> {
  const { rows } = await db.query<{ declined: number }>({
    text: `select count(distinct provider_key)::int as declined from onceboard.provider_requests
           where tenant_id = $1 and operation_id = $2 and outcome = 'declined'`,
    values: [tenantId, operationId],
  });
  return rows[0]?.declined ?? 0;
}
