// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import type { SavedView } from "@/presentation/views/saved-views";
import { sampleSource } from "./source-facts.samples";
import { SourceTools, type SourceListFacts } from "./source-tools";

afterEach(cleanup);

const VIEW: SavedView = {
  ...{ id: "v1", page: "sources/orders-db/outbox", name: "Dead of billing", search: "?state=dead" },
  ...{ href: "/sources/orders-db/outbox?state=dead&view=v1", createdBy: "Ada", updatedAt: "", mayChange: false },
};

function opened(menu: string, changes: Partial<SourceListFacts> = {}): HTMLElement {
  const facts = { tenant: "acme", views: [], exportedRows: 10_000, ...changes };
  const address = { path: "/sources/orders-db/outbox", search: { state: "dead", cursor: "older" } };
  const tools = <SourceTools source={sampleSource()} view="outgoing" facts={facts} address={address} />;
  render(inApp(inLive(tools)));
  const panel = screen.getByRole("group", { name: menu, hidden: true });
  fireEvent(panel, Object.assign(new Event("toggle"), { newState: "open" }));
  return panel;
}

it("the file is of the list as it is filtered, from its beginning, in the formats of our own lists", () => {
  const panel = opened("Export");
  expect([...panel.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(
    ["csv", "json"].map(
      (format) => `/api/v1/admin/attachments/s1/exports/outgoing?state=dead&tenant=acme&format=${format}`,
    ),
  );
  expect(panel.textContent).toContain("Up to 10,000 rows, without bodies. Who took it is kept in the audit.");
});

it("views of this list lead to it, and somebody who may not save any sees why", () => {
  const panel = opened("Views", { views: [VIEW], whyNotSave: "You need the role operator." });
  expect(panel.textContent).toContain("Dead of billing");
  expect(panel.querySelector(`a[href="${VIEW.href}"]`)).not.toBeNull();
  expect(panel.querySelector('a[href="/sources/orders-db/outbox"]')?.textContent).toBe("All");
  expect(screen.getByText("Save as a new view").closest("button")?.disabled).toBe(true);
});
