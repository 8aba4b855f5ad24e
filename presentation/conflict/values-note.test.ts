import fc from "fast-check";
import { it } from "vitest";
import { holdSentences } from "../testing/hold-sentences";
import { valuesNote } from "./values-note";

it("TRUTH-1 a conflict without values says which command is missing, and calls none purged that no key opened", () => {
  const first = fc.constantFrom("elsewhere" as const, "none" as const, "closed" as const, "open" as const);
  holdSentences(fc.record({ first }), (facts) => [valuesNote(facts)], [
    [/^The service keeps its commands to itself\.$/, (facts) => facts.first === "elsewhere"],
    [/^The first command is not stored here\.$/, (facts) => facts.first === "none"],
    [/^The first command could not be opened\.$/, (facts) => facts.first === "closed"],
    [/^The second command could not be read\.$/, (facts) => facts.first === "open"],
  ]);
});
