import type { Queryable } from "../client";
import { callScalar } from "../named-call";

/** Most tables of one call, and so the longest that it takes. */
const TABLES_LIMIT = 8;

/** Gives the planner new statistics of tables that grew to several times what it knows of. @returns how many tables */
export async function analyzeGrown(q: Queryable): Promise<number> {
  return (await callScalar<number>(q, "analyze_grown", [TABLES_LIMIT])) ?? 0;
}
