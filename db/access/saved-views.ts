import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, same, select, type RowOf } from "@/db/query";
import { apiClients, operators, savedViews } from "@/db/schema";

export interface SavedViewKey {
  readonly tenantId: string;
  readonly id: string;
}

export interface NewSavedView extends SavedViewKey {
  readonly page: string;
  readonly name: string;
  readonly search: string;
  /** Id of who saves it. */
  readonly createdBy: string;
  /** Views that the list may have, this one included. */
  readonly limit: number;
}

/**
 * Keeps a view. Two that are saved at once wait for each other at the tenant's row, so the limit holds.
 * @returns `exists` when the list has a view of this name already, `limit` when it has enough
 */
export async function insertSavedView(tx: Queryable, view: NewSavedView): Promise<"created" | "exists" | "limit"> {
  const { tenantId, id, page, name, search, createdBy, limit } = view;
  await tx.query({ text: "select 1 from onceboard.tenants where id = $1 for no key update", values: [tenantId] });
  const { rows } = await tx.query<{ count: number }>({
    text: "select count(*)::integer as count from onceboard.saved_views where tenant_id = $1 and page = $2",
    values: [tenantId, page],
  });
  if ((rows[0]?.count ?? 0) >= limit) return "limit";
  const { rowCount } = await tx.query({
    text: `insert into onceboard.saved_views (tenant_id, id, page, name, search, created_by)
           values ($1, $2, $3, $4, $5, $6) on conflict (tenant_id, page, name) do nothing`,
    values: [tenantId, id, page, name, search, createdBy],
  });
  return rowCount === 1 ? "created" : "exists";
}

/**
 * Gives a view another name or another search. Asks for the tenant's row first, like {@link insertSavedView}, so that two
 * renames to one name do not meet at the index.
 */
export async function updateSavedView(
  tx: Queryable,
  view: SavedViewKey & { readonly page: string; readonly name: string; readonly search: string },
): Promise<"changed" | "exists"> {
  const { tenantId, id, page, name, search } = view;
  await tx.query({ text: "select 1 from onceboard.tenants where id = $1 for no key update", values: [tenantId] });
  const { rowCount } = await tx.query({
    text: `update onceboard.saved_views v set name = $4, search = $5, updated_at = clock_timestamp()
           where v.tenant_id = $1 and v.id = $2
             and not exists (select 1 from onceboard.saved_views o where o.tenant_id = $1 and o.page = $3 and o.name = $4 and o.id <> $2)`,
    values: [tenantId, id, page, name, search],
  });
  return rowCount === 1 ? "changed" : "exists";
}

export async function deleteSavedView(tx: Queryable, { tenantId, id }: SavedViewKey): Promise<void> {
  await tx.query({
    text: "delete from onceboard.saved_views where tenant_id = $1 and id = $2",
    values: [tenantId, id],
  });
}

const v = alias(savedViews, "v");
const o = alias(operators, "o");
const c = alias(apiClients, "c");

const listed = () =>
  select({
    ...pick(v, "id", "page", "name", "search", "createdBy", "updatedAt"),
    /** Of a person who still has an account, or of an API key's client. */
    creator: sql<string | null>`coalesce(${o.name}, ${c.name})`,
  })
    .from(v)
    .leftJoin(o, eq(o.id, v.createdBy))
    .leftJoin(c, and(eq(c.tenantId, v.tenantId), eq(c.id, v.createdBy)));

export type SavedViewRow = RowOf<typeof selectSavedViews>;

/** Views of one list, or of all of them, by name. @param limit most rows */
export async function selectSavedViews(q: Queryable, tenantId: string, page: string | undefined, limit: number) {
  const its = listed().where(and(eq(v.tenantId, tenantId), same(v.page, page)));
  return rowsOf(q, its.orderBy(asc(v.name), asc(v.id)).limit(limit));
}

/** @param lock keeps it as it is until the transaction ends */
export async function selectSavedView(
  q: Queryable,
  tenantId: string,
  id: string,
  lock = false,
): Promise<SavedViewRow | undefined> {
  const its = listed().where(and(eq(v.tenantId, tenantId), eq(v.id, id)));
  return (await rowsOf(q, lock ? its.for("no key update", { of: v }) : its)).at(0);
}
