import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences, isWaitingCount } from "../testing/hold-sentences";
import {
  differingFieldsWords,
  discardEffect,
  republishEffect,
  requeueEffect,
  routeEvidence,
  stalledWords,
} from "./message-dialog-claims";

it("TRUTH-1 the dialogs of a message name its place, and count what waits", () => {
  holdSentences(
    fc.record({
      side: fc.constantFrom("outbox" as const, "inbox" as const),
      place: fc.constantFrom(undefined, "payments"),
      waiting: fc.constantFrom(0, 1, 9_999, WAITING_COUNTED),
      by: fc.constantFrom("HTTP", "RabbitMQ"),
      position: fc.constantFrom("7", "12"),
    }),
    (facts) => [
      `discarded: ${discardEffect(facts)}`,
      `requeued: ${requeueEffect(facts)}`,
      `again: ${republishEffect(facts)}`,
      routeEvidence(facts),
      stalledWords({ behind: facts.waiting, position: facts.position }),
      differingFieldsWords(facts.waiting),
    ],
    [
      [
        /^discarded: It is no longer sent(?: to (.+))?, and nothing waits behind it any more\.$/,
        ({ side, place }, to) => side === "outbox" && to === place,
      ],
      [
        /^discarded: (.+) no longer handles it, nor a later arrival of its id while its row is kept\.$/,
        ({ side, place }, who) => side === "inbox" && (place === undefined ? who === "Its consumer" : who === place),
      ],
      [
        /^requeued: The message becomes pending .+, to be sent(?: to (\w+))?\. What waits behind it keeps .+\.$/,
        ({ side, place }, to) => side === "outbox" && to === place,
      ],
      [
        /^again: The message goes back to the outbox, to be sent(?: to (\w+))? once more\. It keeps its place: .+\.$/,
        ({ place }, to) => to === place,
      ],
      [/^requeued: The message becomes recorded .+\. Its consumer handles it .+\.$/, ({ side }) => side === "inbox"],
      [
        /^(\d+) (fields? differs?)\.$/,
        ({ waiting }, count = "", words) =>
          figure(count) === waiting && (words === "field differs") === (waiting === 1),
      ],
      [/^Nothing waits in it now\. It goes by (.+)\.$/, ({ waiting, by }, said) => waiting === 0 && said === by],
      [
        /^([\d,]+\+?) messages? (waits?) in it now, by (.+)\.$/,
        ({ waiting, by }, count = "", verb, said = "") =>
          waiting > 0 && isWaitingCount(count, waiting) && (verb === "waits") === (waiting === 1) && said === by,
      ],
      [
        /^stands still, ([\d,]+) on this page (waits?) behind #(\d+)\. Nothing is lost, .+\.$/,
        ({ waiting, position }, count = "", verb, said = "") =>
          figure(count) === waiting && (verb === "waits") === (waiting === 1) && said === position,
      ],
    ],
  );
});
