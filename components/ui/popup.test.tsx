// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { afterEach, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inZone } from "@/components/parts/in-zone";
import { FilterMenu } from "./filter-menu";

/** happy-dom knows no popover: the browser's part is played by the event that it would send. */
function toggle(panel: HTMLElement, newState: "open" | "closed"): void {
  fireEvent(panel, Object.assign(new Event("toggle"), { newState }));
}

afterEach(cleanup);

it("brings the form when it opens, with what the address says, and the first field has the focus", () => {
  window.history.replaceState(null, "", "/?client=till&state=unknown");
  const state = { name: "state", label: "State", options: [{ value: "unknown", label: "Unknown" }] };
  render(inApp(<FilterMenu fields={[{ name: "client", label: "Client", placeholder: "till" }, state]} />));
  const button = screen.getByRole("button", { name: /Add filter/ });
  const panel = screen.getByRole("group", { name: "Filters" });
  toggle(panel, "open");
  expect(button.getAttribute("aria-expanded")).toBe("true");
  expect(screen.getByLabelText<HTMLInputElement>("Client").value).toBe("till");
  expect(screen.getByLabelText<HTMLSelectElement>("State").value).toBe("unknown");
  expect(document.activeElement).toBe(screen.getByLabelText("Client"));
  toggle(panel, "closed");
  expect(screen.queryByLabelText("Client")).toBeNull();
});

it.each([
  ["untouched", "2026-11-19 18:30", "2026-11-19T13:00:30.250Z"],
  ["typed in the person's zone", "2026-11-19 09:15", "2026-11-19T03:45:00Z"],
  ["typed with a zone", "2026-11-19T09:15:00Z", "2026-11-19T09:15:00Z"],
  ["no time", "yesterday", "yesterday"],
])("has a time in the person's zone and sends it in UTC: %s", (_, typed, sent) => {
  window.history.replaceState(null, "", "/?from=2026-11-19T13:00:30.250Z");
  const push = vi.fn<AppRouterInstance["push"]>();
  const router = { push } as Partial<AppRouterInstance> as AppRouterInstance;
  const menu = inZone("Asia/Kolkata", <FilterMenu fields={[{ name: "from", label: "From", time: true }]} />);
  render(inApp(<AppRouterContext value={router}>{menu}</AppRouterContext>));
  const panel = screen.getByRole("group", { name: "Filters" });
  panel.hidePopover = () => undefined;
  toggle(panel, "open");
  const field = screen.getByLabelText<HTMLInputElement>("From");
  expect([field.value, field.placeholder]).toEqual(["2026-11-19 18:30", "2026-11-19 13:00, Kolkata"]);
  fireEvent.change(field, { target: { value: typed } });
  fireEvent.click(screen.getByRole("button", { name: "Show" }));
  expect(push).toHaveBeenCalledWith(`/?from=${encodeURIComponent(sent)}`);
});
