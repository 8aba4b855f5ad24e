import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { endpointLimit, endpointWords, expireEffect, sourceEvidence } from "./endpoint-claims";

const agree = (count: string, word: string, one: string): boolean => (count === "1") === (word === one);

it("TRUTH-1 the dialogs of an endpoint count what waits for it, and for how long both secrets are valid", () => {
  holdSentences(
    fc.record({
      waiting: fc.constantFrom(0, 1, 7, 12_000),
      overlapHours: fc.constantFrom(1, 24),
      count: fc.integer({ min: 0, max: 3 }),
      limit: fc.constantFrom(1, 3),
      disabled: fc.boolean(),
      source: fc.constantFrom("provider", "bank", "onceboard"),
      last: fc.boolean(),
    }),
    (facts) => {
      const says = endpointWords(facts);
      const { limit, overlapHours } = facts;
      return [
        says.rotate,
        says.notRefused,
        `disabled: ${says.disable}`,
        `enabled: ${says.enable}`,
        `deleted: ${says.delete}`,
        says.change,
        says.notChanged,
        sourceEvidence(overlapHours),
        expireEffect(facts),
        endpointLimit(facts) ?? `room in ${String(limit)}`,
      ];
    },
    [
      [
        /^A new secret is created\. For (\d+) (hours?) each delivery .+ by the old one\.$/,
        ({ overlapHours }, count = "", word = "") => figure(count) === overlapHours && agree(count, word, "hour"),
      ],
      [
        /^The old secret is not refused before (\d+) hours? (is|are) over\.$/,
        ({ overlapHours }, count = "", word = "") => figure(count) === overlapHours && agree(count, word, "is"),
      ],
      [
        /^Earlier secrets stay valid for another (\d+) (hours?), .+\.$/,
        ({ overlapHours }, count = "", word = "") => figure(count) === overlapHours && agree(count, word, "hour"),
      ],
      [/^It is disabled\. Once it is enabled, events .+ all are\.$/, ({ disabled }) => disabled],
      [/^From now on events .+ all are\.$/, ({ disabled }) => !disabled],
      [/^Messages that wait already stay queued\. The address stays: .+\.$/, () => true],
      // The provider signs with a secret of the deployment too.
      [
        /^It is the last one of its own: within a minute only .+\.$/,
        ({ last, source }) => last && source === "provider",
      ],
      [
        /^It is the last valid one: every signed event of this source is refused, .+\.$/,
        ({ last, source }) => last && source !== "provider",
      ],
      [/^Events that are signed with it alone are refused, .+\.$/, ({ last }) => !last],
      [/^disabled: No message waits for it now\.$/, ({ waiting }) => waiting === 0],
      [
        /^disabled: ([\d,]+) waiting (messages?) will wait while it is disabled\.$/,
        ({ waiting }, count = "", word = "") =>
          figure(count) === waiting && waiting > 0 && agree(count, word, "message"),
      ],
      [/^enabled: What happens from now on will be sent\.$/, ({ waiting }) => waiting === 0],
      [
        /^enabled: ([\d,]+) waiting messages? will be sent at (its|their) turn, and what happens from now on\.$/,
        ({ waiting }, count = "", word = "") => figure(count) === waiting && waiting > 0 && agree(count, word, "its"),
      ],
      [/^deleted: Nothing more is sent there\.$/, ({ waiting }) => waiting === 0],
      [
        /^deleted: Nothing more is sent there\. ([\d,]+) waiting messages? will become (a dead letter at its|dead letters at their) turn\.$/,
        ({ waiting }, count = "", word = "") =>
          figure(count) === waiting && waiting > 0 && agree(count, word, "a dead letter at its"),
      ],
      [
        /^A tenant has at most (\d+) endpoints?\.$/,
        ({ count, limit }, most = "") => count >= limit && figure(most) === limit,
      ],
      [/^room in (\d+)$/, ({ count, limit }) => count < limit],
    ],
  );
});
