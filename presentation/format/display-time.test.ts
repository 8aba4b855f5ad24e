import { describe, expect, it } from "vitest";
import { cutMiddle } from "./cut-middle";
import {
  formatAge,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatExactTime,
  momentOf,
  zonedMinute,
  zoneWord,
} from "./display-time";
import { readZone } from "@/domain/time-zone";

describe("how times are said", () => {
  it("says an age in one unit", () => {
    expect([999, 41 * 60_000, 3 * 3_600_000, 49 * 3_600_000, -5].map(formatAge)).toEqual([
      "0 s",
      "41 min",
      "3 h",
      "2 d",
      "0 s",
    ]);
  });

  it("says a duration in two units while it matters", () => {
    const spans = [264, 2190, 9999, 10_020, 59_999, 130_000, 2_471_000, 11_520_000, 187_200_000, 60_000];
    expect(spans.map(formatDuration)).toEqual([
      "264 ms",
      "2.19 s",
      "9.99 s",
      "10.0 s",
      "59.9 s",
      "2 min 10 s",
      "41 min 11 s",
      "3 h 12 min",
      "2 d 4 h",
      "1 min",
    ]);
  });

  it("writes UTC exactly", () => {
    const at = "2026-11-19T14:02:09.114Z";
    expect(formatClock(at, "utc")).toBe("14:02:09");
    expect(formatClock(at, "utc", true)).toBe("14:02:09.114");
    expect(formatDay(at, "utc", "2026-12-01T00:00:00Z")).toBe("19 Nov, 14:02");
    expect(formatDay(at, "utc", "2027-01-01T00:00:00Z")).toBe("19 Nov 2026, 14:02");
    expect(formatExactTime(at, "utc")).toBe("19 Nov 2026, 14:02:09.114 UTC");
  });

  it("writes the time of a named zone, with its offset at that moment", () => {
    const [winter, summer] = ["2026-11-19T14:02:09.114Z", "2026-07-19T14:02:09.114Z"];
    expect(formatClock(winter, "Europe/Berlin")).toBe("15:02:09");
    expect(formatClock(summer, "Europe/Berlin", true)).toBe("16:02:09.114");
    expect(formatDay("2026-11-19T23:30:00Z", "Asia/Kathmandu", winter)).toBe("20 Nov, 05:15");
    expect(formatDay("2026-12-31T23:30:00Z", "Europe/Berlin", winter)).toBe("1 Jan 2027, 00:30");
    expect(formatExactTime(winter, "Europe/Berlin")).toBe("19 Nov 2026, 15:02:09.114 UTC+01:00");
    expect(formatExactTime(winter, "America/St_Johns")).toBe("19 Nov 2026, 10:32:09.114 UTC−03:30");
    expect(formatExactTime("2026-11-19T00:00:00.000Z", "Europe/London")).toBe("19 Nov 2026, 00:00:00.000 UTC+00:00");
  });

  it("finds the moment of a clock of a zone, and the clock of a moment", () => {
    const zone = "America/New_York";
    expect(zonedMinute("2026-11-19T14:02:09.114Z", zone)).toBe("2026-11-19T09:02");
    expect(momentOf("2026-11-19T09:02", zone)).toBe("2026-11-19T14:02:00.000Z");
    // The night in which 01:30 comes twice, and the one in which 02:30 does not come.
    expect(momentOf("2026-11-01T01:30", zone)).toBe("2026-11-01T05:30:00.000Z");
    expect(momentOf("2026-03-08T02:30", zone)).toBe("2026-03-08T07:30:00.000Z");
    expect(momentOf("2026-11-19T09:02", "utc")).toBe("2026-11-19T09:02:00.000Z");
    expect(momentOf("", zone)).toBeUndefined();
  });

  it("knows a zone by its name, and takes no other text for one", () => {
    const kept = ["utc", "local", "Europe/Berlin", "Europe/Nowhere", "EST5EDT", "", undefined, "a/b\u0000"];
    expect(kept.map(readZone)).toEqual(["utc", "local", "Europe/Berlin", "utc", "utc", "utc", "utc", "utc"]);
    expect(
      ["utc", "local", "America/St_Johns", "America/Argentina/Salta"].map((zone) => zoneWord(readZone(zone))),
    ).toEqual(["UTC", "local", "St Johns", "Salta"]);
  });

  it("says counts exactly, or about", () => {
    expect(formatCount(11_204)).toBe("11,204");
    expect(formatCount(1_236_789, true)).toBe("~1.24 M");
    expect(formatCount(9100, true)).toBe("~9,100");
  });
});

describe("cutting an id in the middle", () => {
  it("keeps the tail, which is what differs", () => {
    expect(cutMiddle("01a1f41d-635a-7175-b834-688aaec1e627")).toBe("01a1…aec1e627");
    expect(cutMiddle("provider_payment_01a1f41d-635d-7184-8c9b-307922d6b47d")).toBe("provider_payment_…22d6b47d");
    expect(cutMiddle("till-7-order-88213-pay-1")).toBe("till-7-…-88213-pay-1");
    expect(cutMiddle("order-88213")).toBe("order-88213");
  });
});
