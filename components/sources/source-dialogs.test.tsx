// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { SourcePurgeDialog, SourceDialogs } from "./source-dialogs";
import { SourcePlans } from "./source-plans";
import { sampleList, sampleSource } from "./source-facts.samples";

afterEach(cleanup);

const textAt = (search: string, shows: React.ReactNode): string => {
  render(inAppAt(search, inLive(shows)));
  return document.querySelector("dialog[open]")?.textContent ?? "";
};

const dead = (id: string, error: string) => ({
  ...{ id, place: id, state: "dead" },
  values: {
    type: { kind: "text" as const, text: "orders.paid", cut: false },
    error_message: { kind: "text" as const, text: error, cut: false },
  },
});
const deadList = sampleList({
  view: "dead",
  page: { kind: "rows", rows: [dead("out:1", "timeout\n at x"), dead("out:2", "timeout"), dead("out:3", "refused")] },
});

describe("dialogs of rows of an attached database", () => {
  it("says what the function does, of which row, and its caveat", () => {
    const said = textAt("dialog=requeue:out:1", <SourceDialogs view={sampleList()} />);
    for (const words of [
      "Requeue 1 row of orders-db?",
      "The installed function requeue of orders-db is called for this row.",
      "out:1, dead, type orders.paid, attempts 50",
      "it may be sent a second time",
      "CAP sends it at its next pass.",
    ])
      expect(said).toContain(words);
    expect(screen.getByRole("button", { name: "Requeue 1 row" }).hasAttribute("disabled")).toBe(false);
  });

  it("what is not offered cannot be sent, and says why", () => {
    expect(textAt("dialog=discard:out:1", <SourceDialogs view={sampleList()} />)).toContain("CAP has no state for it.");
    expect(screen.getByRole("button", { name: "Discard 1 row" }).hasAttribute("disabled")).toBe(true);
  });

  it("plans the dead rows where the function is installed", () => {
    const said = textAt("dialog=plan:requeue", <SourcePlans view={deadList} />);
    expect(said).toContain("Plan to requeue the newest dead rows, and look at each verdict first?");
    expect(said).toContain("Of the newest 1,000 dead rows it freezes those of the type and the error chosen");
    expect(said).toContain("a row that is not dead by then is left alone");
    expect(screen.queryByText("Plan to discard the dead rows")).toBeNull();
  });

  it("opens for no row that is not there", () => {
    expect(textAt("dialog=requeue:out:9", <SourceDialogs view={sampleList()} />)).toBe("");
  });

  it("offers the types and the errors of the page for a plan, that of a group chosen", () => {
    textAt("dialog=plan:requeue:1", <SourcePlans view={deadList} />);
    const options = (label: string) => {
      const field = screen.getByLabelText<HTMLSelectElement>(label);
      return { chosen: field.value, offered: [...field.options].map(({ value }) => value) };
    };
    expect(options("Type, of those on this page")).toEqual({ chosen: "", offered: ["", "orders.paid"] });
    expect(options("Error, of those on this page")).toEqual({
      chosen: "refused",
      offered: ["", "timeout", "refused"],
    });
  });

  it("a purge is a plan that is asked for by a time, and says how its rows are counted", () => {
    const said = textAt("dialog=purge", <SourcePurgeDialog source={sampleSource()} />);
    expect(said).toContain("Plan to purge finished rows of orders-db, and look at each verdict first?");
    expect(said).toContain("What was deleted cannot be brought back.");
    expect(said).toContain("To count them the function is called in a transaction that is rolled back.");
    screen.getByLabelText("Older than, UTC");
  });
});
