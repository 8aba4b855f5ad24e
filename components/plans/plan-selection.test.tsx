// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { SelectionBar } from "@/components/table/selection";
import { PlanSelection } from "./plan-selection";

afterEach(cleanup);

const selection = <PlanSelection kinds={[{ kind: "release_operations" }]} search="" />;
const verb = async (): Promise<HTMLButtonElement> =>
  // The dialog is loaded when it is asked for.
  screen.findByRole<HTMLButtonElement>("button", { name: "Freeze and judge" }, { timeout: 10_000 });

it("plans what is selected, and says where nothing is", async () => {
  render(inAppAt("dialog=plan:release_operations", inLive(selection)));
  expect((await verb()).title).toBe("No operation is selected.");
  expect((await verb()).disabled).toBe(true);
  cleanup();
  const picked = (
    <SelectionBar
      selection={{ ids: ["1", "2"], all: false }}
      wholePage={false}
      onAll={() => undefined}
      onClear={() => undefined}
    >
      {selection}
    </SelectionBar>
  );
  render(inAppAt("dialog=plan:release_operations", inLive(picked)));
  expect((await verb()).disabled).toBe(false);
  expect(document.body.textContent).toContain("2 selected operations");
  expect(document.body.textContent).not.toContain("No operation is selected.");
});
