// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { inZone } from "@/components/parts/in-zone";
import { RangeForm } from "./range-form";

afterEach(cleanup);

const values = () => ["From", "to"].map((name) => screen.getByLabelText<HTMLInputElement>(name).value);
const sent = () =>
  [...document.querySelectorAll<HTMLInputElement>("input[name]")].map(({ name, value }) => [name, value]);
const fields = (place: string, from: string, to: string) => (
  <RangeForm action="/" kept={[]} place={place} from={from} to={to} />
);

it("shows the time of the address, and of the next one", () => {
  const { rerender } = render(fields("24h", "2026-11-19T14:43:09.114Z", "2026-11-20T14:43:30Z"));
  expect(values()).toEqual(["2026-11-19T14:43", "2026-11-20T14:43"]);
  // A live page moves on under one address.
  rerender(fields("24h", "2026-11-19T14:44:09.114Z", "2026-11-20T14:44:30Z"));
  expect(values()).toEqual(["2026-11-19T14:44", "2026-11-20T14:44"]);
  rerender(fields("7d", "2026-11-13T14:44:09.114Z", "2026-11-20T14:44:30Z"));
  expect(values()).toEqual(["2026-11-13T14:44", "2026-11-20T14:44"]);
});

it("keeps what is typed while the page moves on, and drops it where the address changes", () => {
  const { rerender } = render(fields("24h", "2026-11-19T14:43:09.114Z", "2026-11-20T14:43:30Z"));
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-11-19T09:00" } });
  rerender(fields("24h", "2026-11-19T14:44:09.114Z", "2026-11-20T14:44:30Z"));
  expect(values()).toEqual(["2026-11-19T09:00", "2026-11-20T14:44"]);
  rerender(fields("1h", "2026-11-20T13:44:09.114Z", "2026-11-20T14:44:30Z"));
  expect(values()).toEqual(["2026-11-20T13:44", "2026-11-20T14:44"]);
});

it("is typed in the person's zone, which it names, and sends the moment in UTC", () => {
  const kept = [{ name: "group", value: "client" }];
  const { container } = render(
    inZone(
      "Europe/Berlin",
      <RangeForm action="/metrics" kept={kept} place="24h" from="2026-03-28T23:30:00Z" to="2026-03-29T12:00:00Z" />,
    ),
  );
  expect(values()).toEqual(["2026-03-29T00:30", "2026-03-29T14:00"]);
  expect(container.textContent).toContain("Berlin");
  expect(sent()).toEqual([
    ["group", "client"],
    ["from", "2026-03-28T23:30"],
    ["to", "2026-03-29T12:00"],
  ]);
  // Summer time began at two.
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-03-29T03:15" } });
  expect(sent()[1]).toEqual(["from", "2026-03-29T01:15"]);
});
