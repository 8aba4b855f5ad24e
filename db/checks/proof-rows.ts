import { eq, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { type Present, rowsOf, type Select } from "@/db/query";
import type { ProofMoney, ProofRows } from "@/domain/checks/proof-facts";

/** Whose rows a proof reads. */
export interface ProvenOperation {
  readonly tenantId: string;
  readonly operationId: string;
}

/** The rows of a table that carry the operation's id. */
export function its(
  table: Readonly<Record<"tenantId" | "operationId", PgColumn>>,
  { tenantId, operationId }: ProvenOperation,
): SQL {
  return sql`${eq(table.tenantId, tenantId)} and ${eq(table.operationId, operationId)}`;
}

/** @returns at most `limit` rows, and whether there are more */
export async function upTo<Row>(
  q: Queryable,
  limit: number,
  query: Select<Row> | SQL<Row>,
  order: SQL,
): Promise<ProofRows<Present<Row>>> {
  const found = await rowsOf(q, sql<Row>`${query.getSQL()} order by ${order} limit ${limit + 1}`);
  return found.length > limit ? { rows: found.slice(0, limit), gap: { kind: "cut", limit } } : { rows: found };
}

type Amount = Readonly<Record<"amountMinor" | "currency", PgColumn>>;
/** Minor units leave the database as text: no float, and no bigint that JSON does not know. */
export const amountOf = (of: Amount): SQL<ProofMoney> =>
  sql`jsonb_build_object('minor', ${of.amountMinor}::text, 'currency', ${of.currency})`;
export const amountOrNull = (of: Amount): SQL<ProofMoney | null> =>
  sql`case when ${of.amountMinor} is not null and ${of.currency} is not null then ${amountOf(of)} end`;
