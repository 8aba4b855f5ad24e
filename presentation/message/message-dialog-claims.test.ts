import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import {
  differingFieldsWords,
  discardEffect,
  requeueEffect,
  routeEvidence,
  stalledWords,
} from "./message-dialog-claims";

it("TRUTH-1 the dialogs of a message name its place, and count what waits", () => {
  holdSentences(
    fc.record({
      side: fc.constantFrom("outbox" as const, "inbox" as const),
      place: fc.constantFrom(undefined, "payments"),
      waiting: fc.constantFrom(0, 1, 12_000),
      by: fc.constantFrom("HTTP", "RabbitMQ"),
      position: fc.constantFrom("7", "12"),
    }),
    (facts) => [
      `discarded: ${discardEffect(facts)}`,
      `requeued: ${requeueEffect(facts)}`,
      routeEvidence(facts),
      stalledWords({ behind: facts.waiting, position: facts.position }),
      differingFieldsWords(facts.waiting),
    ],
    [
      [
        /^discarded: It is never sent(?: to (.+))?\. What waits behind it goes on without it\.$/,
        ({ side, place }, to) => side === "outbox" && to === place,
      ],
      [
        /^discarded: (.+) never handles it\. A later arrival .+\.$/,
        ({ side, place }, who) => side === "inbox" && (place === undefined ? who === "Its consumer" : who === place),
      ],
      [
        /^requeued: The message becomes pending .+\. The relay sends it(?: to (\w+))? again, then .+\.$/,
        ({ side, place }, to) => side === "outbox" && to === place,
      ],
      [/^requeued: The message becomes recorded .+\. Its consumer handles it .+\.$/, ({ side }) => side === "inbox"],
      [
        /^(\d+) (fields? differs?)\.$/,
        ({ waiting }, count = "", words) =>
          figure(count) === waiting && (words === "field differs") === (waiting === 1),
      ],
      [/^Nothing waits in it now\. It goes by (.+)\.$/, ({ waiting, by }, said) => waiting === 0 && said === by],
      [
        /^([\d,]+) messages? (waits?) in it now, by (.+)\.$/,
        ({ waiting, by }, count = "", verb, said = "") =>
          waiting > 0 && figure(count) === waiting && (verb === "waits") === (waiting === 1) && said === by,
      ],
      [
        /^stands still, ([\d,]+) on this page (waits?) behind #(\d+)\. Nothing is lost, .+\.$/,
        ({ waiting, position }, count = "", verb, said = "") =>
          figure(count) === waiting && (verb === "waits") === (waiting === 1) && said === position,
      ],
    ],
  );
});
