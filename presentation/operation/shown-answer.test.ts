import { expect, it } from "vitest";
import { shownAnswer } from "./shown-answer";

it("TRUTH-1 draws a first answer that refused as a failure, and every other answer as it was", () => {
  expect(shownAnswer({ outcome: "executed", status: 402 })).toBe("failed");
  expect(shownAnswer({ outcome: "executed", status: 201 })).toBe("executed");
  expect(shownAnswer({ outcome: "executed" })).toBe("executed");
  expect(shownAnswer({ outcome: "replayed", status: 402 })).toBe("replayed");
  expect(shownAnswer({ outcome: "conflict", status: 409 })).toBe("conflict");
});
