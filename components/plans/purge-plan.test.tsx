// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import type { PlanView as View } from "@/presentation/views/plans";
import { ITEMS_PROPS, ranPlan, samplePlan, samplePlanItems, sampleVerdict } from "./plan-facts.samples";
import { PlanView } from "./plan-view";

afterEach(cleanup);

const batch = (index: number, outcome?: string) => ({
  label: { type: `Batch ${String(index)}`, key: "500 rows", row: `batch ${String(index)}`, place: "orders-db" },
  verdict: "due_there" as const,
  verdictReason: "The function would delete 500 rows.",
  ...(outcome !== undefined && { outcome, state: "done" as const, result: "done" as const }),
});
const batches = { kind: "purge_attached", scope: "1,000 finished rows", total: 2, acting: 2 } as const;
const said = (plan: View): string => {
  render(inApp(inLive(<PlanView plan={plan} problems={[]} {...ITEMS_PROPS} />)));
  const labels = [...document.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"));
  return `${document.body.textContent} ${labels.join(" ")}`;
};
/** Rows of a table that are deleted are rows; one of the plan is a batch. */
const ROWS_OF_TABLES =
  /[\d,]+ (?:finished )?rows?\b|at most (?:500|as many) rows|no more rows than (?:it|were) counted|as many rows as its batch counted/g;

describe("the pages of a plan that purges an attached database", () => {
  it("call what acts a batch, before it runs", () => {
    const verdicts = [sampleVerdict({ verdict: "due_there", count: 2 })];
    const counts = { waiting: 2, done: 0, skipped: 0, failed: 0 };
    const results = { ...NO_RESULTS, waiting: 2 };
    const items = samplePlanItems(batch(1), batch(2));
    const text = said(samplePlan({ ...batches, verdicts, counts, results, items }));
    expect(text).toContain("2 batches frozen.");
    expect(text).toContain("acts once per batch");
    expect(text).toContain("one mark is one batch");
    expect(text).toContain("Batches of this plan");
    expect(text.replace(ROWS_OF_TABLES, "")).not.toMatch(/\brows?\b/i);
  });

  it("say what became of the batches, and how many rows each of them deleted", () => {
    const outcomes = [
      "The function deleted 500 rows.",
      "The function deleted 317 rows of 500: the function found no more.",
    ];
    const verdicts = [sampleVerdict({ verdict: "due_there", count: 2 }, "done")];
    const counts = { waiting: 0, done: 2, skipped: 0, failed: 0 };
    const results = { ...NO_RESULTS, done: 2 };
    const items = samplePlanItems(...outcomes.map((outcome, index) => batch(index + 1, outcome)));
    const text = said(ranPlan({ ...batches, verdicts, counts, results, items }));
    expect(text).toContain("Both batches were purged.");
    expect(text).toContain("2 batches frozen = 2 purged.");
    expect(text).toContain("Batch 2: Purged");
    expect(text).not.toContain("Batch 2, Batch 2");
    expect(text).toContain("Every batch did what the dry run said.");
    for (const outcome of outcomes) expect(text).toContain(outcome);
    expect(text.replace(ROWS_OF_TABLES, "")).not.toMatch(/\brows?\b/i);
  });
});
