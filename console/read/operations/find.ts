import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import { boundedRead } from "@/db/bounded-read";
import {
  findByAmount,
  findById,
  findByRequest,
  findByText,
  findByTrace,
  selectFoundOperations,
  type FoundOperationRow,
  type FoundRow,
} from "@/db/operations/find-targets";
import type { OperationKinds } from "@/domain/operation-kind";
import { UUID } from "@/domain/uuid";
import { referenceHref } from "@/presentation/filters/references";
import { readQuery, type FindQuery } from "@/presentation/list/find-query";
import { hitVerdict, type HitFacts } from "@/presentation/operation/hit-verdict";
import { withTopicLabels } from "@/domain/messages/topic-label";
import { uuidv7Time } from "@/domain/idempotency/uuidv7-time";
import type { FindTarget, FindView } from "@/presentation/views/find";
import type { OperationRow } from "@/presentation/views/operations";
import type { EngineContext } from "@/engine/context";
import { WEBHOOK_TOPIC_PREFIX } from "@/engine/outbox/transports/transports";
import { endpointLabels } from "../messages/endpoint-labels";
import { operationRow, sparklinesOf } from "./operation-row";
import { requirePermission, tenantsWhere } from "@/engine/actions/require";

const TARGETS = 20;
/** Other tenants that are searched when the chosen one has nothing of this name. */
const OTHER_TENANTS = 20;

/**
 * Takes any id, key, reference, request, trace, client, account or amount to its page, by exact name and by an index each: in the chosen tenant, and where that has nothing, in the others.
 * @param input.others more tenants; those that the reader has no grant in are left out
 * @throws AppError `auth.forbidden` 403
 */
export async function find(
  ctx: EngineContext,
  input: { q: string; others?: readonly string[] | undefined },
): Promise<FindView> {
  requirePermission(ctx, "operations.read");
  const query = readQuery(input.q);
  if (query.text === "") return found(query, [], { searched: 0, left: 0 });
  await ctx.kinds.register();
  const others = tenantsWhere(ctx, input.others ?? [], "operations.read").filter((id) => id !== ctx.tenantId);
  const kinds = await ctx.kinds.all();
  const read = await boundedRead(ctx.db, "search", async (q) => {
    const here = await targetsOf(q, ctx.tenantId, query, kinds);
    if (here.length > 0) return { targets: here, searched: 0 };
    const targets: FindTarget[] = [];
    let searched = 0;
    for (const tenant of others.slice(0, OTHER_TENANTS)) {
      if (targets.length > TARGETS) break;
      targets.push(...(await targetsOf(q, tenant, query, kinds)).map((each) => inTenant(each, tenant)));
      searched += 1;
    }
    return { targets, searched };
  });
  if (read.kind === "too_broad") return read;
  const { targets, searched } = read.value;
  return found(query, targets, { searched, left: others.length - searched });
}

function found(
  query: FindQuery,
  targets: readonly FindTarget[],
  elsewhere: { readonly searched: number; readonly left: number },
): FindView {
  return {
    kind: "found",
    query: query.text,
    targets: targets.slice(0, TARGETS),
    more: targets.length > TARGETS,
    elsewhere,
    at: new Date().toISOString(),
  };
}

async function targetsOf(
  q: Queryable,
  tenantId: string,
  query: FindQuery,
  kinds: OperationKinds,
): Promise<FindTarget[]> {
  const found = await search(q, tenantId, query);
  const ids = [...new Set(found.flatMap((row) => row.operationId ?? []))];
  const operations = await operationsOf(q, tenantId, ids, kinds);
  // A webhook endpoint is shown by its address, which says more than its id.
  const endpoints = found.some((row) => row.label?.includes(WEBHOOK_TOPIC_PREFIX) === true);
  const labelOf = endpoints ? await endpointLabels(q, tenantId) : undefined;
  const results = found.map((row) => ({
    ...row,
    label: row.label === undefined || labelOf === undefined ? row.label : withTopicLabels(row.label, labelOf),
  }));
  return distinct(
    results.map((row) => target(row, row.operationId === undefined ? undefined : operations.get(row.operationId))),
  );
}

type FoundOperation = HitFacts & OperationRow;

async function operationsOf(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
  kinds: OperationKinds,
): Promise<ReadonlyMap<string, FoundOperation>> {
  const rows: readonly FoundOperationRow[] = await selectFoundOperations(q, tenantId, ids);
  const sparklines = await sparklinesOf(q, tenantId, rows);
  return new Map(
    rows.map((row) => [
      row.operationId,
      {
        ...operationRow(row, sparklines.get(row.operationId), kinds),
        ...only(row, "at", "unknownSince", "lockedUntil"),
      },
    ]),
  );
}

function inTenant(found: FindTarget, tenant: string): FindTarget {
  const sign = found.href.includes("?") ? "&" : "?";
  return { ...found, tenant, href: `${found.href}${sign}tenant=${encodeURIComponent(tenant)}` };
}

async function search(
  q: Queryable,
  tenantId: string,
  { text, uuid, trace, minor, currency }: FindQuery,
): Promise<FoundRow[]> {
  const at = uuid === undefined ? undefined : uuidv7Time(uuid);
  const exact = [
    ...(uuid === undefined ? [] : await findById(q, tenantId, uuid)),
    ...(await findByText(q, tenantId, text)),
    ...(trace === undefined ? [] : await findByTrace(q, tenantId, trace)),
  ];
  if (exact.length > 0) return exact;
  // The most expensive look-up comes last: an id that is nothing else may be that of a request.
  if (uuid !== undefined) return at === undefined ? [] : findByRequest(q, tenantId, uuid, new Date(at));
  return minor === undefined ? [] : findByAmount(q, tenantId, minor, currency);
}

/** Pages of things that have one of their own, by what matched. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  "outbox message": (id) => `/outbox/${id}`,
  // Where it was found by its message id, the list finds the row.
  "inbox message": (id) => (UUID.test(id) ? `/inbox/${id}` : `/inbox?messageId=${encodeURIComponent(id)}`),
  plan: (id) => `/plans/${id}`,
  // message:side
  "dead letter": (id) => `/${id.split(":").reverse().join("/")}`,
  conflict: (id) => `/conflicts?conflict=${id}`,
  "audit entry": (id) => `/audit?open=${id}`,
  client: (id) => `/clients/${encodeURIComponent(id)}`,
  reference: (id) => referenceHref(id),
  account: (id) => `/operations?range=all&account=${encodeURIComponent(id)}`,
};

function target(row: FoundRow, operation: FoundOperation | undefined): FindTarget {
  const { matched, id, state, at } = row;
  const own = row.made ? undefined : PAGES[matched]?.(id);
  const href = own ?? `/operations/${row.operationId ?? id}`;
  const what = { matched, id, href };
  // Its keys are counted on its page.
  if (matched === "reference") return { ...what, label: `Everything under ${id}` };
  if (operation === undefined) return { ...what, label: row.label ?? id, state, at };
  const label = labelText(operation, row.label);
  const { money } = operation;
  // What has a page of its own is in its own state; the operation behind it is in another.
  if (own !== undefined) return { ...what, label, money, state, at };
  return { ...what, label, money, state: operation.state, at: operation.createdAt, verdict: hitVerdict(operation) };
}

function labelText({ kind, money, key }: FoundOperation, what: string | undefined): string {
  const worth = money === undefined ? "" : ` ${money.display}`;
  return `${what === undefined ? "" : `${what} of `}${kind}${worth}, ${key}`;
}

/** One thing found under several names is one target: the first name wins. */
function distinct(targets: readonly FindTarget[]): FindTarget[] {
  const seen = new Set<string>();
  return targets.filter((each) => !seen.has(each.href) && seen.add(each.href));
}
