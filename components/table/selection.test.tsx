// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { PickContext, SelectAll, SelectionBar, SelectRow } from "./selection";

afterEach(cleanup);

describe("selecting rows", () => {
  it.each([
    { all: false, some: false, checked: false, half: false },
    { all: false, some: true, checked: false, half: true },
    { all: true, some: true, checked: true, half: false },
  ])("all $all, some $some: the box is checked $checked, half $half", ({ all, some, checked, half }) => {
    render(<SelectAll all={all} some={some} onChange={() => undefined} />);
    const box = screen.getByRole<HTMLInputElement>("checkbox");
    expect([box.checked, box.indeterminate]).toEqual([checked, half]);
  });

  it("picks a row, with Shift every row from the last one", () => {
    const picked: unknown[] = [];
    render(
      <PickContext value={(...pick) => void picked.push(pick)}>
        <SelectRow id="1" label="Select 1" on={false} />
      </PickContext>,
    );
    fireEvent.click(screen.getByRole("checkbox"), { shiftKey: false });
    fireEvent.click(screen.getByRole("checkbox"), { shiftKey: true });
    expect(picked).toEqual([
      ["1", true, false],
      ["1", true, true],
    ]);
  });

  it("says how many are selected and what they stand for, by currency", () => {
    const eur = { minor: "1026407", currency: "EUR" };
    const bar = (money: Parameters<typeof SelectionBar>[0]["money"]) => (
      <SelectionBar
        selection={{ ids: ["1", "2"], all: false }}
        money={money}
        wholePage={false}
        onAll={() => undefined}
        onClear={() => undefined}
      >
        {null}
      </SelectionBar>
    );
    const { rerender } = render(bar([eur, { minor: "5", currency: "USD" }]));
    expect(screen.getByText("2 selected, €10,264.07 and $0.05")).toBeDefined();
    rerender(bar([eur, undefined]));
    expect(screen.getByText("2 selected, €10,264.07 in 1")).toBeDefined();
    rerender(bar(undefined));
    expect(screen.getByText("2 selected")).toBeDefined();
  });

  it("turns all that match on and off from the bar", () => {
    const asked: boolean[] = [];
    const bar = (all: boolean) => (
      <SelectionBar
        selection={{ ids: ["1"], all, matching: "7" }}
        wholePage
        onAll={(on) => void asked.push(on)}
        onClear={() => undefined}
      >
        {null}
      </SelectionBar>
    );
    const { rerender } = render(bar(false));
    fireEvent.click(screen.getByRole("button", { name: "All 7 that match" }));
    rerender(bar(true));
    fireEvent.click(screen.getByRole("button", { name: "Only this page" }));
    expect(asked).toEqual([true, false]);
  });
});
