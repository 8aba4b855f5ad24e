import { searchReferences, type ReferenceHitRow } from "@/db/reference/find-references";
import { boundedRead } from "@/db/bounded-read";
import { requirePermission } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import { referenceHref, type ReferenceFilters } from "@/presentation/filters/references";
import { readQuery } from "@/presentation/list/find-query";
import { moneyView } from "@/presentation/operation/money-view";
import type { ReferenceHit, ReferenceSearch } from "@/presentation/views/references";

/** Rows that one search looks at, newest first. */
const SEARCH_LOOKS_AT = 500;
const HITS = 50;

/**
 * References of payments by customer, amount and day, newest first. A day alone is not searched: it has no index of its own.
 * @returns no hit where neither customer nor amount is named
 * @throws AppError `auth.forbidden` 403
 */
export async function findReferences(ctx: EngineContext, filters: ReferenceFilters): Promise<ReferenceSearch> {
  requirePermission(ctx, "operations.read");
  const { customer, amount, day } = filters;
  const { minor, currency } = amount === undefined ? {} : readQuery(amount);
  if (customer === undefined && minor === undefined) return { kind: "found", hits: [], more: false };
  const by = { customer, minor: minor === undefined ? undefined : BigInt(minor), currency, day };
  await ctx.kinds.register();
  const read = await boundedRead(ctx.db, "search", (q) => searchReferences(q, ctx.tenantId, by, SEARCH_LOOKS_AT));
  if (read.kind === "too_broad") return read;
  const hits = hitsOf(read.value.filter(({ matches }) => matches));
  return {
    kind: "found",
    hits: hits.slice(0, HITS),
    more: hits.length > HITS,
    lookedAt: read.value.length === SEARCH_LOOKS_AT ? SEARCH_LOOKS_AT : undefined,
  };
}

/** One hit per reference and customer; a key without a reference is one by itself. */
function hitsOf(rows: readonly ReferenceHitRow[]): readonly ReferenceHit[] {
  const hits = new Map<string, ReferenceHit>();
  for (const row of rows) {
    const { reference, account: customer, operationId } = row;
    const name = reference === undefined ? operationId : JSON.stringify([reference, customer]);
    const known = hits.get(name);
    hits.set(
      name,
      known === undefined
        ? {
            id: name,
            reference,
            customer,
            href: reference === undefined ? `/operations/${operationId}` : referenceHref(reference, customer),
            money: moneyView(row.amountMinor, row.currency),
            keys: 1,
            lastAt: row.createdAt,
          }
        : { ...known, keys: known.keys + 1 },
    );
  }
  return [...hits.values()];
}
