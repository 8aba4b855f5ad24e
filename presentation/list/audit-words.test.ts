import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import type { AuditCheckpoints } from "../views/audit";
import { checkpointWords } from "./audit-words";

it("AUDIT-3 TRUTH-1 a chain says what it was held against, and what that cannot show", () => {
  const signed = fc.record({
    kept: fc.constant("signed" as const),
    at: fc.constant("2026-11-22T14:30:00Z"),
    covers: fc.constantFrom("0", "250"),
    since: fc.constantFrom("0", "1", "2", "1200"),
  });
  const facts: fc.Arbitrary<AuditCheckpoints> = fc.oneof(
    fc.constant({ kept: "none" as const }),
    fc.constant({ kept: "not yet" as const }),
    signed,
  );
  holdSentences(facts, (of) => [checkpointWords(of)], [
    [/^No checkpoints are made here: who owns the database can rewrite this unseen\.$/, (of) => of.kept === "none"],
    [/^No checkpoint of this chain is there yet: .+ can rewrite it unseen\.$/, (of) => of.kept === "not yet"],
    [
      /^Held against its newest checkpoint, which covers every entry\.$/,
      (of) => of.kept === "signed" && of.since === "0",
    ],
    [
      /^Held against its newest checkpoint\. ([\d,]+) (entry|entries) since could be cut unseen\.$/,
      (of, said = "", noun = "") =>
        of.kept === "signed" && figure(said) === Number(of.since) && (noun === "entry") === (of.since === "1"),
    ],
  ]);
});
