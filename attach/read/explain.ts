import type { Foreign } from "../connection";

/**
 * Planner cost of the dearest statement that is run on somebody else's tables: about 20,000 pages read in order. What costs more is
 * not run, and said to be not shown.
 */
export const MAX_COST = 20_000;

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Total Cost": number;
  /** From PostgreSQL 18 on; before, a way that was turned off costs more than anything. */
  readonly Disabled?: boolean;
  readonly Plans?: readonly PlanNode[];
}

export interface Explained {
  readonly cost: number;
  /** Tables that the statement would read from end to end. */
  readonly scanned: readonly string[];
  /** Whether a way that was turned off is used all the same, because there is no other. */
  readonly disabled: boolean;
}

/** What a statement would cost, without running it. @param read `query` or `walk` of the database */
export async function explain(
  read: Foreign["query"],
  text: string,
  values: readonly unknown[] = [],
): Promise<Explained> {
  const [row] = await read<{ readonly "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(
    `explain (format json) ${text}`,
    values,
  );
  const plan = row?.["QUERY PLAN"][0]?.Plan;
  if (plan === undefined) throw new Error("PostgreSQL explained nothing.");
  return { cost: plan["Total Cost"], scanned: [...new Set(scansOf(plan))], disabled: isDisabled(plan) };
}

function scansOf(node: PlanNode): readonly string[] {
  const own = node["Node Type"] === "Seq Scan" ? [node["Relation Name"] ?? "a table"] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

const isDisabled = (node: PlanNode): boolean => node.Disabled === true || (node.Plans ?? []).some(isDisabled);
