import { expect, it } from "vitest";
import type { PlaceRow } from "../views/places";
import { worstFirst } from "./place-order";

const place = (label: string, changes: Partial<PlaceRow> = {}): PlaceRow => ({
  side: "outbox",
  place: label,
  label,
  waiting: 0,
  failing: 0,
  dead: 0,
  alone: 0,
  hour: { succeeded: 0, failed: 0, dead: 0, spark: [] },
  ...changes,
});

it("MESSAGE-1 names the places that fail or are late before those that only have dead messages", () => {
  const dead = Array.from({ length: 60 }, (_, index) => place(`a dead ${String(index)}`, { dead: 84 }));
  const rows = [
    place("idle", { hour: { succeeded: 9, failed: 0, dead: 0, spark: [] } }),
    ...dead,
    place("late", { waiting: 1, oldestMs: 61_000 }),
    place("on time", { waiting: 900, oldestMs: 1_000 }),
    place("failing", { waiting: 1, failing: 1, oldestMs: 1_000 }),
    place("late and dead", { waiting: 1, oldestMs: 61_000, dead: 1 }),
    place("paused", { paused: { at: "2026-11-22T14:00:00Z", by: "Ada", reason: "maintenance" } }),
    place("unreachable", { outage: "webhook.endpoint_down" }),
  ];
  const order = worstFirst(rows).map(({ label }) => label);
  expect(order.slice(0, 5)).toEqual(["unreachable", "paused", "failing", "late and dead", "late"]);
  expect(order.slice(-2)).toEqual(["on time", "idle"]);
});
