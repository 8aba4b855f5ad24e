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
    const said = textAt("dialog=plan:requeue", <SourcePlans source={sampleSource()} />);
    expect(said).toContain("Plan to requeue the newest dead rows, and look at each verdict first?");
    expect(said).toContain("Freezes the newest dead rows as they are now, 1,000 at the most,");
    expect(said).toContain("a row that is not dead by then is left alone");
    expect(screen.queryByText("Plan to discard the dead rows")).toBeNull();
  });

  it("opens for no row that is not there", () => {
    expect(textAt("dialog=requeue:out:9", <SourceDialogs view={sampleList()} />)).toBe("");
  });

  it("asks a purge for a time and a number", () => {
    const said = textAt("dialog=purge", <SourcePurgeDialog source={sampleSource()} />);
    expect(said).toContain("Purge finished rows of orders-db?");
    expect(said).toContain("What is deleted cannot be brought back.");
    for (const label of ["Older than, UTC", "At most so many rows, up to 500"]) screen.getByLabelText(label);
  });
});
