// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, expect, it } from "vitest";
import { inApp, inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID } from "@/components/parts/part";
import type { SavedView } from "@/presentation/views/saved-views";
import { ViewDialog } from "./view-dialog";
import { ViewsMenu } from "./views-menu";

afterEach(cleanup);

const MINE: SavedView = {
  id: SAMPLE_ID,
  page: "outbox",
  name: "Dead here",
  search: "?state=dead",
  href: `/outbox?state=dead&view=${SAMPLE_ID}`,
  mayChange: true,
  createdBy: "Ada",
  updatedAt: "2026-11-22T12:00:00Z",
};

/** Opens the menu, as a browser says it. */
function menu(views: readonly SavedView[], search: Readonly<Record<string, string>>): ReactElement {
  return <ViewsMenu page="outbox" tenant="acme" views={views} address={{ path: "/outbox", search }} />;
}
function shown(part: ReactElement): HTMLElement {
  cleanup();
  render(inApp(inLive(part)));
  const popup = document.querySelector("[popover]");
  if (popup === null) throw new Error("no menu");
  fireEvent(popup, Object.assign(new Event("toggle"), { newState: "open" }));
  return document.body;
}

it("says that there is no saved view only where there is none", () => {
  const NONE = "None. Set filters, order and columns, then save them under a name.";
  expect(shown(menu([], {})).textContent).toContain(NONE);
  expect(shown(menu([MINE], {})).textContent).not.toContain(NONE);
});

it("offers to overwrite a view only where the page shows something else", () => {
  const overwrite = () =>
    [...document.querySelectorAll<HTMLElement>("a, button")].find(({ textContent }) => textContent === "Overwrite");
  shown(menu([MINE], { view: SAMPLE_ID, state: "dead" }));
  expect(overwrite()?.title).toBe("This page is what the view keeps.");
  shown(menu([MINE], { view: SAMPLE_ID, state: "pending" }));
  expect(overwrite()?.title).not.toBe("This page is what the view keeps.");
});

it("says that there is no such view only where the address names one that is not there", () => {
  const dialog = (id: string) => {
    cleanup();
    const props = { page: "outbox", title: "Outbox", views: [MINE], search: "" } as const;
    render(inAppAt(`dialog=view%3Arename%3A${id}`, inLive(<ViewDialog {...props} />)));
    return document.querySelector("dialog[open]")?.textContent ?? "";
  };
  expect(dialog("none")).toContain("There is no such view.");
  expect(dialog(SAMPLE_ID)).not.toContain("There is no such view.");
  expect(dialog(SAMPLE_ID)).toContain("Rename 1 view");
});
