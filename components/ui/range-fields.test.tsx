// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { RangeFields } from "./range-fields";

afterEach(cleanup);

const values = () => ["From", "to"].map((name) => screen.getByLabelText<HTMLInputElement>(name).value);
const fields = (place: string, from: string, to: string) => <RangeFields place={place} from={from} to={to} />;

it("shows the time of the address, and of the next one", () => {
  const { rerender } = render(fields("24h", "2026-11-19T14:43", "2026-11-20T14:43"));
  expect(values()).toEqual(["2026-11-19T14:43", "2026-11-20T14:43"]);
  // A live page moves on under one address.
  rerender(fields("24h", "2026-11-19T14:44", "2026-11-20T14:44"));
  expect(values()).toEqual(["2026-11-19T14:44", "2026-11-20T14:44"]);
  rerender(fields("7d", "2026-11-13T14:44", "2026-11-20T14:44"));
  expect(values()).toEqual(["2026-11-13T14:44", "2026-11-20T14:44"]);
});

it("keeps what is typed while the page moves on, and drops it where the address changes", () => {
  const { rerender } = render(fields("24h", "2026-11-19T14:43", "2026-11-20T14:43"));
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-11-19T09:00" } });
  rerender(fields("24h", "2026-11-19T14:44", "2026-11-20T14:44"));
  expect(values()).toEqual(["2026-11-19T09:00", "2026-11-20T14:44"]);
  rerender(fields("1h", "2026-11-20T13:44", "2026-11-20T14:44"));
  expect(values()).toEqual(["2026-11-20T13:44", "2026-11-20T14:44"]);
});
