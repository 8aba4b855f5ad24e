// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { answeredAction } from "./action.samples";
import { StepUp } from "./step-up";
import type { StepUpProof } from "./use-admin-action";

afterEach(cleanup);

/** A question for both ways, and the proofs that were given to it. */
function ask(): readonly StepUpProof[] {
  const given: StepUpProof[] = [];
  const action = answeredAction({ kind: "confirm", message: "Confirm your identity.", by: ["password", "code"] });
  const confirm = (proof: StepUpProof): Promise<undefined> => {
    given.push(proof);
    return Promise.resolve(undefined);
  };
  render(<StepUp action={{ ...action, confirm }} verb="Settle" />);
  return given;
}

describe("proving again who you are", () => {
  it("takes the password as it was typed, and sends nothing that is empty", () => {
    const given = ask();
    const field = screen.getByLabelText("Your password");
    fireEvent.change(field, { target: { value: "  " } });
    fireEvent.click(screen.getByRole("button", { name: "Confirm: Settle" }));
    expect(given).toEqual([]);
    fireEvent.change(field, { target: { value: " pass word " } });
    fireEvent.keyDown(field, { key: "Enter" });
    expect(given).toEqual([{ password: " pass word " }]);
  });

  it("takes a code instead, without the spaces around it", () => {
    const given = ask();
    fireEvent.click(screen.getByRole("button", { name: "Use a code instead" }));
    fireEvent.change(screen.getByLabelText(/Code of your authenticator/), { target: { value: " 123456 " } });
    fireEvent.click(screen.getByRole("button", { name: "Confirm: Settle" }));
    expect(given).toEqual([{ code: "123456" }]);
    expect(screen.queryByRole("button", { name: "Use the password instead" })).not.toBeNull();
  });

  it("does not send the form around it with Enter", () => {
    ask();
    expect(fireEvent.keyDown(screen.getByLabelText("Your password"), { key: "Enter" })).toBe(false);
    expect(fireEvent.keyDown(screen.getByLabelText("Your password"), { key: "a" })).toBe(true);
  });
});
