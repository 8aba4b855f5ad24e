/** A decision about one operation that a plan keeps until a second person approves it. */
export interface PlanResolution {
  /** Of the operation. */
  readonly resolves: string;
  readonly decision: "succeeded" | "failed";
  /** What it rests on: names of sources, or what the person has seen. */
  readonly evidence: readonly string[];
  readonly providerReference?: string | undefined;
}

/** @returns the decision in what a plan's row keeps, if it is about one. */
export function resolutionOfPlan(filter: Readonly<Record<string, unknown>>): PlanResolution | undefined {
  const { resolves, decision, evidence, providerReference } = filter;
  if (typeof resolves !== "string" || (decision !== "succeeded" && decision !== "failed")) return undefined;
  return {
    resolves,
    decision,
    evidence: Array.isArray(evidence) ? evidence.filter((each) => typeof each === "string") : [],
    ...(typeof providerReference === "string" && { providerReference }),
  };
}
