import fc from "fast-check";
import { it } from "vitest";
import { policyBounds, type PolicyField } from "@/domain/idempotency/policy";
import { figure, holdSentences } from "../testing/hold-sentences";
import { boundsWords, draftWords, inForceWords, movedWords, policiesClauses } from "./policy-page-claims";

const FIELDS: readonly PolicyField[] = ["leaseSeconds", "ttlHours", "bodyTtlHours", "metadataTtlDays"];

it("TRUTH-1 the pages of policies count settings, and name the bounds that a number is held to", () => {
  holdSentences(
    fc.record({
      operations: fc.integer({ min: 1, max: 3 }),
      decided: fc.integer({ min: 0, max: 2 }),
      risky: fc.integer({ min: 0, max: 2 }),
      contradictions: fc.integer({ min: 0, max: 2 }),
      changed: fc.integer({ min: 0, max: 2 }),
      kind: fc.constantFrom("Payment", "Refund"),
      seconds: fc.constantFrom(1, 5),
      version: fc.integer({ min: 2, max: 9 }),
      field: fc.constantFrom(...FIELDS),
      providerTimeoutMs: fc.constantFrom(5_000, 10_000),
    }),
    (facts) => [
      ...policiesClauses(facts).map(({ text }) => text),
      draftWords(facts),
      inForceWords(facts.seconds),
      movedWords(facts.version),
      boundsWords(facts),
    ],
    [
      [
        /^(\d+) operations?, all at the deployment's defaults\.$/,
        ({ operations, decided }, all = "") => decided === 0 && figure(all) === operations,
      ],
      [
        /^(\d+) operations?, (\d+) settings? set by this tenant\.$/,
        ({ operations, decided }, all = "", own = "") =>
          decided > 0 && figure(all) === operations && figure(own) === decided,
      ],
      [/^(\d+) risky choices?\.$/, ({ risky }, count = "") => risky > 0 && figure(count) === risky],
      [
        /^(\d+) contradictions?\.$/,
        ({ contradictions }, count = "") => contradictions > 0 && figure(count) === contradictions,
      ],
      [/^Nothing is changed yet\.$/, ({ changed }) => changed === 0],
      [
        /^(\d+) settings? of (\w+) would change\. No operation runs and no key is removed\.$/,
        ({ changed, kind }, count = "", of) => changed > 0 && figure(count) === changed && of === kind.toLowerCase(),
      ],
      [
        /^In force in every process within (\d+) seconds?\. A second click changes nothing\.$/,
        ({ seconds }, said = "") => figure(said) === seconds,
      ],
      [/^Somebody made version (\d+) meanwhile\.$/, ({ version }, said = "") => figure(said) === version],
      [
        /^From ([\d,]+) to ([\d,]+)(, and longer than the provider timeout, ([\d.]+) s)?\.$/,
        ({ field, providerTimeoutMs }, least = "", most = "", lease, timeout = "") =>
          figure(least) === policyBounds(field)?.[0] &&
          figure(most) === policyBounds(field)?.[1] &&
          (lease !== undefined) === (field === "leaseSeconds") &&
          (lease === undefined || Number(timeout) * 1_000 === providerTimeoutMs),
      ],
    ],
  );
});
