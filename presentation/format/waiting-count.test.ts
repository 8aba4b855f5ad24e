import { expect, it } from "vitest";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { isAtLeast, waitingAge, waitingCount, waitingMessages, waitingWords } from "./waiting-count";

const MINUTE = 60_000;

it.each([
  [{ waiting: 0 }, "0", "0 messages", "0 wait", "4 minutes"],
  [{ waiting: 1 }, "1", "1 message", "1 waits", "4 minutes"],
  [{ waiting: WAITING_COUNTED - 1 }, "9,999", "9,999 messages", "9,999 wait", "4 minutes"],
  [{ waiting: WAITING_COUNTED }, "10,000+", "10,000+ messages", "10,000+ wait", "at least 4 minutes"],
  [{ waiting: 1, sampled: true }, "1+", "1+ messages", "1+ wait", "at least 4 minutes"],
])("says of %o what was counted, and that it is at least that", (of, count, messages, words, age) => {
  expect([waitingCount(of), waitingMessages(of), waitingWords(of), waitingAge(of, 4 * MINUTE)]).toEqual([
    count,
    messages,
    words,
    age,
  ]);
  expect(isAtLeast(of)).toBe(count.endsWith("+"));
});

it("says that nothing was counted where others wait and none of these is among the first", () => {
  expect(waitingCount({ waiting: 0, sampled: true })).toBe("not counted");
});
