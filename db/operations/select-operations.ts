import type { Queryable } from "@/db/client";
import { CONSOLE_ACTIONS } from "@/domain/operation-label";
import type { OperationState, Stage } from "@/domain/idempotency/states";
import { ordered, selectHorizon, within, type PageRequest, type Place, type SortColumns } from "../paging";
import { conditions, isConsoleAction, iso, type Conditions } from "../sql-text";
import { onlyOpenStates, type OperationFilters, type OperationSort } from "@/domain/lists/filters";

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
  amount: { ...CREATED, value: "r.amount_minor", type: "bigint" },
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
 * rest walks an index of time, expiry, amount, account, reference or key inside the time window, `page.look` rows at the most.
 */
export async function selectOperations(
  q: Queryable,
  tenantId: string,
  filters: OperationFilters,
  page: PageRequest,
): Promise<OperationListRow[]> {
  const sort = OPERATION_SORT_COLUMNS[filters.sort];
  const { from, where, order } = windowOf(tenantId, filters, page);
  const only = conditions(where.values);
  addFilters(only, tenantId, filters);
  const open = onlyOpen(filters);
  const value = sort.type === "timestamptz" ? iso(sort.value) : `(${sort.value})::text`;
  const look = page.look === undefined || open ? "" : `${order} limit ${where.param(page.look)}`;
  // What is open is read whole before it is sorted: a planner that hopes for a full page would walk the index of creation for it.
  const looked = open
    ? `with looked as materialized (select r.*, o.locked_until as lease from ${from} where ${where.text()})`
    : `with looked as (select r.* from ${from} where ${where.text()} ${look})`;
  const { rows } = await q.query<OperationListRow>({
    text: `${looked}
select ${OPERATION_COLUMNS}, ${value} as sort_value
from (select r.* from looked r where ${only.text()} ${order} limit ${only.param(page.limit + 1)}) r
left join ${OPEN_JOIN} ${CLIENT_JOIN}
${order}`,
    values: where.values,
  });
  return rows;
}

/** Where a page that looked at `look` rows ended; undefined at the end of the window. */
export async function selectOperationsHorizon(
  q: Queryable,
  tenantId: string,
  filters: OperationFilters,
  page: PageRequest & { readonly look: number },
): Promise<Place | undefined> {
  if (onlyOpen(filters)) return undefined;
  const { from, where, order } = windowOf(tenantId, filters, page);
  return selectHorizon(q, { from, where, order }, OPERATION_SORT_COLUMNS[filters.sort], page.look);
}

/** What an index finds, in the list's order: the tenant, the time, the place, and whatever has an index of its own. */
function windowOf(
  tenantId: string,
  filters: OperationFilters,
  page: PageRequest,
): { from: string; where: Conditions; order: string } {
  const where = conditions();
  const open = onlyOpen(filters);
  where.equal("r.tenant_id", tenantId);
  if (open) where.equal("o.tenant_id", tenantId);
  if (!open || filters.from !== undefined || filters.to !== undefined) within(where, "r.created_at", filters);
  // Nothing expires before it was created: the walk begins where the window does.
  if (filters.sort === "expires" && !open) within(where, "r.expires_at", { ...filters, to: undefined });
  // What has no amount has no place among amounts.
  if (filters.sort === "amount") where.add("r.amount_minor is not null");
  where.equal("r.account_id", filters.account);
  where.equal("r.reference", filters.reference);
  where.equal("r.key", filters.key);
  const requests = "onceboard.idempotency_requests r";
  const from = open
    ? `onceboard.idempotency_open o join ${requests} on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id`
    : requests;
  return { from, where, order: ordered(where, OPERATION_SORT_COLUMNS[filters.sort], page) };
}

/** Whether everything asked for has a row in the open table; those are shown whatever their age. */
export function onlyOpen(filters: Pick<OperationFilters, "states" | "attention">): boolean {
  return onlyOpenStates(filters);
}

function addFilters(where: Conditions, tenantId: string, filters: OperationFilters): void {
  const tenant = where.param(tenantId);
  // The planner may not take it from the inner select.
  where.add(`r.tenant_id = ${tenant}`);
  addStates(where, filters);
  addOperation(where, filters);
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

/** In progress with such a lease: it came along with what is open, otherwise the open table is asked, which is small. */
function inProgress(filters: OperationFilters, lease: (column: string) => string): string {
  const is = onlyOpen(filters)
    ? lease("r.lease")
    : `exists (select 1 from onceboard.idempotency_open o where o.tenant_id = r.tenant_id and o.operation_id = r.operation_id and ${lease("o.locked_until")})`;
  return `(r.state = 'IN_PROGRESS' and ${is})`;
}

function addStates(where: Conditions, filters: OperationFilters): void {
  const stale = inProgress(filters, (lease) => `${lease} <= now()`);
  if (filters.attention) where.add(`(r.state = 'UNKNOWN_REQUIRES_RECOVERY' or ${stale})`);
  if (filters.states.length === 0) return;
  const plain = filters.states.filter((state) => state !== "STALE" && state !== "IN_PROGRESS");
  const parts: string[] = plain.length === 0 ? [] : [`r.state = any(${where.param(plain)}::text[])`];
  const both = filters.states.includes("STALE") && filters.states.includes("IN_PROGRESS");
  if (both) parts.push("r.state = 'IN_PROGRESS'");
  else if (filters.states.includes("STALE")) parts.push(stale);
  else if (filters.states.includes("IN_PROGRESS"))
    parts.push(inProgress(filters, (lease) => `(${lease} is null or ${lease} > now())`));
  where.add(`(${parts.join(" or ")})`);
}
