import { and, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { callRows, callScalar } from "@/db/named-call";
import { countWhere, rowsOf, select } from "@/db/query";
import { dataKeys } from "@/db/schema";

const k = alias(dataKeys, "k");

export type DataKeyPurpose = "body" | "fingerprint";

export interface DataKeyInput {
  readonly tenantId: string;
  readonly purpose: DataKeyPurpose;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Name of the entry of ENCRYPTION_KEYS. */
  readonly wrappedBy: string;
  /** Offered when there is none yet. */
  readonly wrapped: Buffer;
}

export interface DataKeyRow {
  readonly wrapped_by: string;
  /** Null: destroyed. */
  readonly wrapped: Buffer | null;
}

/** @returns the data key that stands, which may be the one offered. Safe from any number of processes at once. */
export async function ensureDataKey(db: Queryable, input: DataKeyInput): Promise<DataKeyRow> {
  const [row] = await callRows<DataKeyRow>(db, "ensure_data_key", input);
  if (row === undefined) throw new Error("ensure_data_key() returned no row");
  return row;
}

/** Stores the same data key under another entry of ENCRYPTION_KEYS. @returns false when it changed meanwhile */
export async function rewrapDataKey(
  db: Queryable,
  input: {
    readonly tenantId: string;
    readonly purpose: DataKeyPurpose;
    readonly day: string;
    readonly from: string;
    readonly to: string;
    readonly wrapped: Buffer;
  },
): Promise<boolean> {
  return (await callScalar<boolean>(db, "rewrap_data_key", input)) === true;
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

export interface WrappedKeyRow {
  readonly purpose: DataKeyPurpose;
  readonly day: string;
  readonly wrapped_by: string;
  readonly wrapped: Buffer;
}

/** @returns data keys that are wrapped by another entry than the current one, oldest first. */
export async function dataKeysToRewrap(
  db: Queryable,
  tenantId: string,
  current: string,
  limit: number,
): Promise<WrappedKeyRow[]> {
  const { rows } = await db.query<WrappedKeyRow>({
    text: `select purpose, day, wrapped_by, wrapped from onceboard.data_keys
           where tenant_id = $1 and wrapped is not null and wrapped_by <> $2 order by day limit $3`,
    values: [tenantId, current, limit],
  });
  return rows;
}

/** The body keys of one tenant: one row a day, so the count is small and exact. */
export async function selectDataKeys(q: Queryable, tenantId: string, current: string) {
  const wrapped = isNotNull(k.wrapped);
  const query = select({
    live: countWhere(wrapped),
    oldestLive: sql<string | null>`min(${k.day}) filter (where ${wrapped})::text`,
    destroyed: countWhere(isNull(k.wrapped)),
    lastDestroyed: sql<string | null>`max(${k.day}) filter (where ${k.wrapped} is null)::text`,
    /** Of keys that are wrapped by another entry of ENCRYPTION_KEYS than the current one. */
    otherEntry: countWhere(and(wrapped, ne(k.wrappedBy, current))),
  });
  return (await rowsOf(q, query.from(k).where(and(eq(k.tenantId, tenantId), eq(k.purpose, "body"))))).at(0);
}
