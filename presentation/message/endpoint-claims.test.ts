import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import fc from "fast-check";
import { it } from "vitest";
import { DELIVERY_TIMEOUT_MS, ENDPOINT_REMEMBERED_MS } from "@/domain/messages/delivery";
import { figure, holdSentences, isWaitingCount } from "../testing/hold-sentences";
import { endpointLimit, endpointWords, expireEffect, sourceEvidence } from "./endpoint-claims";

const sentences = (name: string, text: string): readonly string[] =>
  text.split(/(?<=\.) (?=[A-Z\d])/).map((sentence) => `${name}: ${sentence}`);
const agree = (count: string, word: string, one: string): boolean => (count === "1") === (word === one);

it("TRUTH-1 the dialogs of an endpoint count what waits for it, and for how long both secrets are valid", () => {
  holdSentences(
    fc.record({
      waiting: fc.constantFrom(0, 1, 7, 9_999, WAITING_COUNTED),
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
        says.notEnded,
        ...sentences("disabled", says.disable),
        `enabled: ${says.enable}`,
        ...sentences("deleted", says.delete),
        says.change,
        sourceEvidence(overlapHours),
        expireEffect(facts),
        endpointLimit(facts) ?? `room in ${String(limit)}`,
      ];
    },
    [
      [
        /^A new secret is created\. After (\d+) seconds at the latest, and for (\d+) (hours?), each .+ by the old one\.$/,
        ({ overlapHours }, seconds = "", count = "", word = "") =>
          figure(seconds) * 1_000 === ENDPOINT_REMEMBERED_MS &&
          figure(count) === overlapHours &&
          agree(count, word, "hour"),
      ],
      [
        /^The old secret does not end before (\d+) hours? (is|are) over\.$/,
        ({ overlapHours }, count = "", word = "") => figure(count) === overlapHours && agree(count, word, "is"),
      ],
      [
        /^Earlier secrets stay valid for another (\d+) (hours?), .+\.$/,
        ({ overlapHours }, count = "", word = "") => figure(count) === overlapHours && agree(count, word, "hour"),
      ],
      [/^It is disabled\. Once it is enabled, events .+ all are\.$/, ({ disabled }) => disabled],
      [/^From now on events .+ all are\.$/, ({ disabled }) => !disabled],
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
      // A relay may have read it just before, and begin a delivery just before it forgets that.
      [
        /^(?:disabled|deleted): Deliveries stop within about (\d+) seconds\.$/,
        (_, seconds = "") => figure(seconds) * 1_000 === ENDPOINT_REMEMBERED_MS + DELIVERY_TIMEOUT_MS,
      ],
      [/^disabled: No message waits for it now\.$/, ({ waiting }) => waiting === 0],
      [
        /^disabled: ([\d,]+\+?) messages? (waits?) for it now; what is not sent by then waits .+\.$/,
        ({ waiting }, count = "", verb = "") =>
          isWaitingCount(count, waiting) && waiting > 0 && agree(count, verb, "waits"),
      ],
      [/^enabled: The relay may send there again: events of its types that .+\.$/, ({ waiting }) => waiting === 0],
      [
        /^enabled: The relay may send there again: ([\d,]+\+?) waiting (messages?), and events of its types that .+\.$/,
        ({ waiting }, count = "", word = "") =>
          isWaitingCount(count, waiting) && waiting > 0 && agree(count, word, "message"),
      ],
      [
        /^deleted: ([\d,]+\+?) messages? (waits?) for it now; what is not sent by then becomes .+\.$/,
        ({ waiting }, count = "", verb = "") =>
          isWaitingCount(count, waiting) && waiting > 0 && agree(count, verb, "waits"),
      ],
      [
        /^A tenant has at most (\d+) endpoints?\.$/,
        ({ count, limit }, most = "") => count >= limit && figure(most) === limit,
      ],
      [/^room in (\d+)$/, ({ count, limit }) => count < limit],
    ],
  );
});
