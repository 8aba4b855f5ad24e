import fc from "fast-check";
import { it } from "vitest";
import { holdSentences } from "../testing/hold-sentences";
import { markNow } from "./mark-claims";

it("TRUTH-1 the dialog of a mark says whose fault it was called, and by whom", () => {
  const mark = fc.record({
    mark: fc.constantFrom("client_fault" as const, "ours" as const),
    by: fc.constantFrom("Ada", "Mira"),
  });
  holdSentences(fc.record({ mark: fc.option(mark, { nil: undefined }) }), (facts) => [markNow(facts.mark)], [
    [/^Not marked so far\.$/, (facts) => facts.mark === undefined],
    [
      /^Now: (client fault|ours), by (.+)\. It is replaced\.$/,
      (facts, whose, by) => facts.mark?.by === by && (whose === "ours") === (facts.mark?.mark === "ours"),
    ],
  ]);
});
