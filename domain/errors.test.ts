import { describe, expect, it } from "vitest";
import { AppError, toAppError } from "./errors";

describe("an error that is not ours", () => {
  it("may have had an effect, and is told without its text", () => {
    const cause = new Error("the connection was lost after the commit of acc_1");
    const told = toAppError(cause);
    expect(told).toMatchObject({
      code: "transient.internal",
      certainty: "indefinite",
      retryable: true,
      message:
        "It is not known whether the request took effect. Retry it, with the same idempotency key if it had one.",
      cause,
    });
    expect(`${told.title} ${told.message}`).not.toContain("acc_1");
  });

  it("stays what it is when it is ours", () => {
    const ours = new AppError("plan.state", 409, "The state of the plan does not allow this");
    expect(toAppError(ours)).toBe(ours);
  });
});
