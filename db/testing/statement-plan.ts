import type { Database } from "../client";
import type { Statement } from "./record-statements";

/** What PostgreSQL did for a statement, as `explain (analyze, format json)` says it. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What a page costs that is read in sequence: as of a table a hundred times larger. */
const SEQ_PAGE_COST = 100;

/**
 * As the planner would do it with tables so large that a sequential scan is out of the question, and what it really touched. Not with
 * `enable_seqscan = off`: before PostgreSQL 18 one small table without an index then costs so much that no other difference counts.
 *
 * @param db as the owner
 */
export async function explainStatement(db: Pick<Database, "pool">, { text, values }: Statement): Promise<PlanNode> {
  const client = await db.pool.connect();
  try {
    await client.query("begin read only");
    await client.query(`set local seq_page_cost = ${String(SEQ_PAGE_COST)}`);
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>({
      text: `explain (analyze, timing off, format json) ${text}`,
      values: [...values],
    });
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    if (plan === undefined) throw new Error("no plan");
    return plan;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

export function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Rows that a node read, those included that did not match. */
export function touchedBy(node: PlanNode): number {
  const each =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return Math.round(each * node["Actual Loops"]);
}
