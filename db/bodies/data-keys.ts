import { and, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { callRows, callScalar } from "@/db/named-call";
import { countWhere, rowsOf, select } from "@/db/query";
import { dataKeys } from "@/db/schema";

const k = alias(dataKeys, "k");

export type DataKeyPurpose = "body" | "fingerprint";

/** How a data key is wrapped: by an entry of ENCRYPTION_KEYS, and inside it by a key store where there is one. */
export interface DataKeyWrapping {
  /** Name of the entry of ENCRYPTION_KEYS. */
  readonly wrappedBy: string;
  readonly wrapped: Buffer;
  /** Id of the key store; undefined: the entry alone. */
  readonly keyStore: string | undefined;
}

export interface DataKeyName {
  readonly tenantId: string;
  readonly purpose: DataKeyPurpose;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

export interface DataKeyRow {
  readonly wrapped_by: string;
  /** Null: destroyed. */
  readonly wrapped: Buffer | null;
  readonly key_store: string | null;
}

/**
 * Safe from any number of processes at once.
 *
 * @param offer kept when there is none yet
 * @returns the data key that stands, which may be the one offered; undefined when there is none and none was offered
 */
export async function ensureDataKey(
  db: Queryable,
  name: DataKeyName,
  offer?: DataKeyWrapping,
): Promise<DataKeyRow | undefined> {
  const { wrappedBy, wrapped, keyStore } = offer ?? {};
  const [row] = await callRows<DataKeyRow>(db, "ensure_data_key", { ...name, wrappedBy, wrapped, keyStore });
  if (row === undefined && offer !== undefined) throw new Error("ensure_data_key() returned no row");
  return row;
}

/** Stores the same data key under another wrapping. @returns false when it changed meanwhile */
export async function rewrapDataKey(
  db: Queryable,
  name: DataKeyName,
  from: Pick<WrappedKeyRow, "wrapped_by" | "key_store">,
  to: DataKeyWrapping,
): Promise<boolean> {
  const call = {
    ...name,
    ...{ from: from.wrapped_by, fromStore: from.key_store },
    ...{ to: to.wrappedBy, toStore: to.keyStore, wrapped: to.wrapped },
  };
  return (await callScalar<boolean>(db, "rewrap_data_key", call)) === true;
}

/** Destroys the body keys of days before `before` (`YYYY-MM-DD`) that nothing needs any more. @returns those days */
export async function destroyDataKeys(db: Queryable, tenantId: string, before: string): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>({
    name: "destroy_data_keys",
    text: "select day from onceboard.destroy_data_keys($1,$2)",
    values: [tenantId, before],
  });
  return rows.map((row) => row.day);
}

/** @returns days whose body key was destroyed here and may still be in the key store of this id, oldest first. */
export async function daysToDestroy(
  db: Queryable,
  tenantId: string,
  keyStore: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>({
    text: `select day from onceboard.data_keys where tenant_id = $1 and purpose = 'body' and key_store = $2
           and destroyed_at is not null and store_destroyed_at is null order by day limit $3`,
    values: [tenantId, keyStore, limit],
  });
  return rows.map((row) => row.day);
}

/** @returns those of the days that no row knows: a database was restored to before them, or a process died between store and row. */
export async function unknownDays(db: Queryable, tenantId: string, days: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>({
    text: `select d.day from unnest($2::date[]) as d (day) where not exists (select from onceboard.data_keys k
           where k.tenant_id = $1 and k.purpose = 'body' and k.day = d.day) order by 1`,
    values: [tenantId, days],
  });
  return rows.map((row) => row.day);
}

/** Notes that the key store's keys of these days are gone. @returns days that were not noted before */
export async function confirmDestroyedKeys(
  db: Queryable,
  tenantId: string,
  days: readonly string[],
): Promise<string[]> {
  const rows = await callRows<{ day: string }>(db, "confirm_destroyed_keys", { tenantId, days });
  return rows.map((row) => row.day);
}

export interface WrappedKeyRow {
  readonly purpose: DataKeyPurpose;
  readonly day: string;
  readonly wrapped_by: string;
  readonly key_store: string | null;
  readonly wrapped: Buffer;
}

/** @returns data keys that are wrapped otherwise than they should be now, oldest first. */
export async function dataKeysToRewrap(
  db: Queryable,
  tenantId: string,
  current: { readonly wrapsWith: string; readonly keyStore: string | undefined },
  limit: number,
): Promise<WrappedKeyRow[]> {
  const { rows } = await db.query<WrappedKeyRow>({
    text: `select purpose, day, wrapped_by, key_store, wrapped from onceboard.data_keys
           where tenant_id = $1 and wrapped is not null
             and (wrapped_by <> $2 or (purpose = 'body' and key_store is null and $3::text is not null))
           order by day limit $4`,
    values: [tenantId, current.wrapsWith, current.keyStore, limit],
  });
  return rows;
}

/** The body keys of one tenant: one row a day, so the count is small and exact. */
export async function selectDataKeys(q: Queryable, tenantId: string, current: string, keyStore: string | undefined) {
  const wrapped = isNotNull(k.wrapped);
  const query = select({
    live: countWhere(wrapped),
    oldestLive: sql<string | null>`min(${k.day}) filter (where ${wrapped})::text`,
    destroyed: countWhere(isNull(k.wrapped)),
    lastDestroyed: sql<string | null>`max(${k.day}) filter (where ${k.wrapped} is null)::text`,
    /** Of keys that are wrapped by another entry of ENCRYPTION_KEYS than the current one. */
    otherEntry: countWhere(and(wrapped, ne(k.wrappedBy, current))),
    /** Of keys that no key store has a part of: a copy of the row and its entry open them, also later. */
    withoutStore: countWhere(and(wrapped, isNull(k.keyStore))),
    /** Of keys that need a key store which is not this process's. */
    otherStore: countWhere(
      and(wrapped, isNotNull(k.keyStore), keyStore === undefined ? undefined : ne(k.keyStore, keyStore)),
    ),
    /** Destroyed here, and not yet known to be gone from the key store. */
    waiting: countWhere(and(isNull(k.wrapped), isNotNull(k.keyStore), isNull(k.storeDestroyedAt))),
  });
  return (await rowsOf(q, query.from(k).where(and(eq(k.tenantId, tenantId), eq(k.purpose, "body"))))).at(0);
}
