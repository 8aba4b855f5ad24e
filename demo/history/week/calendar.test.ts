import { expect, it } from "vitest";
import { calendarOf } from "./calendar";

const SETTLED_AFTER_MS = 60 * 60_000;

it.each(["00:10", "01:00", "02:40", "03:59", "05:30", "12:00", "23:59"])(
  "at %s too, what happened lately lies within one day of UTC and was settled before now",
  (time) => {
    const now = new Date(`2026-11-23T${time}:00Z`);
    const { silence, slip, away } = calendarOf(now);
    for (const { from, to } of [silence, slip, away]) {
      const settled = new Date(to.getTime() + SETTLED_AFTER_MS);
      expect(settled.toISOString().slice(0, 10)).toBe(from.toISOString().slice(0, 10));
      expect(settled.getTime()).toBeLessThan(now.getTime() - 60_000);
    }
  },
);
