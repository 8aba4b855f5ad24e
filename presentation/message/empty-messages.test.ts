import fc from "fast-check";
import { expect, it } from "vitest";
import { OUTBOX_TABS } from "@/domain/lists/filters";
import { RANGES } from "@/domain/lists/window";
import { figure, holdSentences } from "../testing/hold-sentences";
import { emptyInbox, emptyOutbox } from "./empty-messages";

it("TRUTH-1 an empty tab of the outbox says what its own rows show, and never that all is handled beside what is dead", () => {
  holdSentences(
    fc.record({
      state: fc.constantFrom(...OUTBOX_TABS),
      filtered: fc.boolean(),
      dead: fc.constantFrom(0, 1, 5, 1_200),
    }),
    (facts) => [emptyOutbox(facts)],
    [
      [/^No message matches these filters\.$/, ({ filtered }) => filtered],
      [/^No message waits, and none is dead\.$/, ({ filtered, state }) => !filtered && state === "open"],
      [
        /^No message waits; ([\d,]+) (is|are) dead\.$/,
        ({ filtered, state, dead }, count = "", verb) =>
          !filtered && state === "pending" && figure(count) === dead && (dead === 1) === (verb === "is"),
      ],
      [/^No message waits\.$/, ({ filtered, state, dead }) => !filtered && state === "pending" && dead === 0],
      [
        /^No message (is failing|is dead|was discarded)\.$/,
        ({ filtered, state }, what = "") => !filtered && what.endsWith(state),
      ],
      [
        /^No message that was published in this time is kept\.$/,
        ({ filtered, state }) => !filtered && state === "published",
      ],
    ],
  );
  expect(emptyOutbox({ state: "pending", filtered: false, dead: 5 })).not.toMatch(/everything|all/i);
});

it("TRUTH-1 an empty inbox says over which time it looked", () => {
  holdSentences(
    fc.record({
      narrowed: fc.boolean(),
      waiting: fc.boolean(),
      range: fc.constantFrom(...RANGES),
      ownTime: fc.boolean(),
    }),
    (facts) => [emptyInbox(facts).title, emptyInbox(facts).looked],
    [
      [/^No message matches\.$/, ({ narrowed }) => narrowed],
      [/^No arrival of this time is kept\.$/, ({ narrowed }) => !narrowed],
      [/^, the time that was chosen$/, ({ ownTime }) => ownTime],
      [/^, all that waits$/, ({ ownTime, waiting }) => !ownTime && waiting],
      [/^, all that is kept$/, ({ ownTime, waiting, range }) => !ownTime && !waiting && range === "all"],
      [/^, the last (\d+[hd])$/, ({ ownTime, waiting, range }, said) => !ownTime && !waiting && said === range],
    ],
  );
});
