import { describe, expect, it } from "vitest";
import { deadGap, gapAfter, offStation, station, worstOf } from "./chain-parts";

describe("the parts of a chain", () => {
  it("speak a station by its time and its facts, unless it has a sentence of its own", () => {
    const parts = { glyph: "executed", time: "14:02:09", facts: ["claimed once", "by till"] } as const;
    expect(station("Key", parts).spoken).toBe("Key: 14:02:09, claimed once, by till");
    expect(station("Key", parts, "claimed").spoken).toBe("Key: claimed");
    expect(offStation("Inbox", "no row")).toMatchObject({ presence: "off", spoken: "Inbox: no row" });
  });

  it("say where a chain is broken and by what", () => {
    expect(gapAfter(2, "provider", "doubt", ["nothing recorded", "after the send"]).spoken).toBe(
      "Gap after the provider: nothing recorded after the send",
    );
    expect(gapAfter(2, "provider", "broken", ["a", "b"], ": no outbox row").spoken).toBe(
      "Gap after the provider: no outbox row",
    );
    expect(deadGap(3, "outbox", 12)).toEqual({
      after: 3,
      tone: "broken",
      facts: ["not delivered after", "12 attempts"],
      spoken: "Gap after the outbox: not delivered after 12 attempts",
    });
    expect(deadGap(4, "inbox", 1).spoken).toBe("Gap after the inbox: not handled after 1 attempt");
  });

  it("draw the row that stands still", () => {
    const [done, waits, dead] = [{ state: "processed" }, { state: "recorded" }, { state: "dead" }];
    expect(worstOf([done, waits, dead], "recorded")).toBe(dead);
    expect(worstOf([done, waits], "recorded")).toBe(waits);
    expect(worstOf([done], "recorded")).toBe(done);
    expect(worstOf<{ state: string }>([], "recorded")).toBeUndefined();
  });
});
