import type { Queryable } from "@/db/client";
import type { OperationFilters, OperationSort } from "@/domain/filters/operations";
import { CONSOLE_ACTIONS } from "@/domain/operation-label";
import type { OperationState, Stage } from "@/domain/states";
import { keyset, within, type PageRequest, type SortColumns } from "../paging";
import { conditions, isConsoleAction, iso, type Conditions } from "../sql-text";

export interface OperationListRow {
  readonly operation_id: string;
  readonly key: string;
  readonly operation: string;
  readonly state: OperationState;
  readonly stale: boolean;
  readonly stage: Stage | null;
  readonly client: string;
  readonly account_id: string | null;
  readonly reference: string | null;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly error_code: string | null;
  readonly response_status: number | null;
  readonly created_at: string;
  readonly sort_value: string;
  readonly at: string;
}

const CREATED: SortColumns = { value: "r.created_at", type: "timestamptz", id: "r.operation_id", idType: "uuid" };
/** What a list may be sorted by; every sort ends in the unique operation id. */
export const OPERATION_SORT_COLUMNS: Readonly<Record<OperationSort, SortColumns>> = {
  created: CREATED,
  amount: { ...CREATED, value: "coalesce(r.amount_minor, 0)", type: "bigint" },
  expires: { ...CREATED, value: "r.expires_at" },
};

/** Shared by lists and pages of operations. Needs `r` (requests), `o` (open, left joined) and `c` (client, left joined). */
export const OPERATION_COLUMNS = `r.operation_id, r.key, r.operation, r.state, coalesce(r.state = 'IN_PROGRESS' and o.locked_until <= now(), false) as stale,
  o.stage, coalesce(c.name, r.principal) as client, r.account_id, r.reference, r.amount_minor, r.currency, r.error_code,
  r.response_status, ${iso("r.created_at")} as created_at, ${iso("now()")} as at`;
export const CLIENT_JOIN = `left join onceboard.api_clients c on c.tenant_id = r.tenant_id and c.id = r.principal`;
const OPEN_JOIN = "onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id";

/**
 * One page of operations, `limit + 1` rows in the cursor's direction. What is open is read from the small open table; the
 * rest walks the index of creation (or expiry) inside the time window.
 */
export async function selectOperations(
  q: Queryable,
  tenantId: string,
  filters: OperationFilters,
  page: PageRequest,
): Promise<OperationListRow[]> {
  const where = conditions();
  const sort = OPERATION_SORT_COLUMNS[filters.sort];
  addFilters(where, tenantId, filters);
  const open = onlyOpen(filters);
  if (!open || filters.from !== undefined || filters.to !== undefined) within(where, "r.created_at", filters);
  const tail = keyset(where, sort, page);
  const source = open
    ? `onceboard.idempotency_open o join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id`
    : `onceboard.idempotency_requests r left join ${OPEN_JOIN}`;
  const value = sort.type === "timestamptz" ? iso(sort.value) : `(${sort.value})::text`;
  const { rows } = await q.query<OperationListRow>({
    text: `select ${OPERATION_COLUMNS}, ${value} as sort_value
from ${source} ${CLIENT_JOIN}
where ${where.text()}
${tail}`,
    values: where.values,
  });
  return rows;
}

/** Whether everything asked for has a row in the open table; those are shown whatever their age. */
export function onlyOpen(filters: Pick<OperationFilters, "states" | "attention">): boolean {
  const open = filters.states.every(
    (state) => state === "IN_PROGRESS" || state === "STALE" || state === "UNKNOWN_REQUIRES_RECOVERY",
  );
  return filters.attention || (filters.states.length > 0 && open);
}

function addFilters(where: Conditions, tenantId: string, filters: OperationFilters): void {
  const tenant = where.param(tenantId);
  where.add(`r.tenant_id = ${tenant}`);
  if (onlyOpen(filters)) where.add(`o.tenant_id = ${tenant}`);
  addStates(where, filters);
  addOperation(where, filters);
  where.equal("r.account_id", filters.account);
  where.equal("r.reference", filters.reference);
  where.equal("r.key", filters.key);
  where.equal("r.error_code", filters.error);
  where.equal("r.currency", filters.currency);
  if (filters.min !== undefined) where.add(`r.amount_minor >= ${where.param(filters.min)}::bigint`);
  if (filters.max !== undefined) where.add(`r.amount_minor <= ${where.param(filters.max)}::bigint`);
  if (filters.client !== undefined) {
    const not = filters.client.startsWith("!");
    const name = where.param(not ? filters.client.slice(1) : filters.client);
    where.add(
      `${not ? "not " : ""}(r.principal = ${name} or r.principal in (select a.id from onceboard.api_clients a where a.tenant_id = ${tenant} and a.name = ${name}))`,
    );
  }
}

/** The console's own actions stay out unless they are asked for: all of them by their prefix, or one by its name. */
function addOperation(where: Conditions, { operation, key }: OperationFilters): void {
  if (operation === CONSOLE_ACTIONS) where.add(isConsoleAction("r.operation"));
  else if (operation !== undefined) where.equal("r.operation", operation);
  // A whole key names what it wants.
  else if (key === undefined) where.add(`not (${isConsoleAction("r.operation")})`);
}

const STALE = "(r.state = 'IN_PROGRESS' and o.locked_until <= now())";

function addStates(where: Conditions, filters: OperationFilters): void {
  if (filters.attention) where.add(`(r.state = 'UNKNOWN_REQUIRES_RECOVERY' or ${STALE})`);
  if (filters.states.length === 0) return;
  const plain = filters.states.filter((state) => state !== "STALE" && state !== "IN_PROGRESS");
  const parts: string[] = plain.length === 0 ? [] : [`r.state = any(${where.param(plain)}::text[])`];
  const both = filters.states.includes("STALE") && filters.states.includes("IN_PROGRESS");
  if (both) parts.push("r.state = 'IN_PROGRESS'");
  else if (filters.states.includes("STALE")) parts.push(STALE);
  else if (filters.states.includes("IN_PROGRESS"))
    parts.push("(r.state = 'IN_PROGRESS' and (o.locked_until is null or o.locked_until > now()))");
  where.add(`(${parts.join(" or ")})`);
}
