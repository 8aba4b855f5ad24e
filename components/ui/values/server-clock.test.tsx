// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Timeline } from "@/components/chain/timeline";
import { inZone } from "@/components/parts/in-zone";
import { ServerClock } from "./server-clock";

const AT = Date.parse("2026-11-19T14:02:09.114Z");
afterEach(cleanup);

const shown = (text: string, at?: number, zone: Parameters<typeof inZone>[0] = "utc") =>
  render(inZone(zone, <ServerClock text={text} at={at} />)).container.textContent;

describe("a clock that the server wrote", () => {
  it("stays as it is in UTC, and where it is no clock", () => {
    expect(shown("14:02:09", AT)).toBe("14:02:09");
    expect(shown("+5 s", AT, "Asia/Tokyo")).toBe("+5 s");
  });

  it("is shown in the chosen zone in the same form, or says that it is UTC", () => {
    const texts = ["14:02", "14:02:09", "02:09.114", "14:02:09.114"];
    expect(texts.map((text) => shown(text, AT, "Asia/Kathmandu"))).toEqual([
      "19:47",
      "19:47:09",
      "47:09.114",
      "19:47:09.114",
    ]);
    expect(shown("14:02:09.114", undefined, "Asia/Kathmandu")).toBe("14:02:09.114 UTC");
  });

  it("is on the axis of what happened when", () => {
    const ticks = [{ at: AT, label: "14:02:09" }];
    const stretches = [{ from: AT, to: AT + 1_000, share: 1 }] as const;
    const timeline = <Timeline stretches={stretches} ticks={ticks} lanes={[]} spoken="What happened" />;
    expect(render(inZone("Asia/Tokyo", timeline)).container.textContent).toContain("23:02:09");
  });
});
