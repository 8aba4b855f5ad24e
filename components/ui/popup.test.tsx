// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
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
