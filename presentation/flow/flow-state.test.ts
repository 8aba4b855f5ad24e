import { describe, expect, it } from "vitest";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { flowLede, noTroubleWords } from "./flow-claims";
import { flowState, type FlowFacts } from "./flow-state";

const AT = "2026-11-22T14:30:00.000000Z";
const facts = (changes: Partial<FlowFacts>): FlowFacts => ({
  ...{ at: AT, id: "topic:payments", kind: "topic", name: "payments", label: "payments", rate: 4, usual: 4 },
  ...{ waiting: 0, failing: 0, dead: 0, weight: 0 },
  ...changes,
});
const said = (changes: Partial<FlowFacts>) => flowState(facts(changes)).state.text;
const paused = { at: "2026-11-22T14:29:22.000000Z", by: "Mira Okafor", reason: "a deploy" };
const held = { waiting: 3, here: 3, lines: 1, oldestMs: 1_000 };

describe("what is said of a node (FLOW-2)", () => {
  it("of what rests: since when and by whom, and not that it is tried again or late", () => {
    expect(said({ paused, failing: 3, waiting: 3, oldestMs: 600_000 })).toBe("paused 38 s ago by Mira Okafor");
    expect(flowState(facts({ paused, oldestMs: 600_000 })).tone).toBe("paused");
    expect(said({ disabledAt: paused.at, failing: 3, outage: "webhook.endpoint_disabled" })).toBe("disabled 38 s ago");
  });

  it("of what fails: when it is tried again, unless a dead message holds it", () => {
    expect(said({ failing: 1, nextFailingAt: "2026-11-22T14:30:08.000000Z" })).toBe("1 fails, next try in 8 s");
    expect(said({ failing: 2, nextFailingAt: AT })).toBe("2 fail, tried again now");
    expect(said({ failing: 2, dead: 1, held })).toBe("1 dead, 3 wait behind it; 2 fail");
    const elsewhere = { ...held, here: 0 };
    expect(said({ held: elsewhere })).toBe("3 wait behind a dead message of another topic");
    expect(said({ dead: 1, held: elsewhere })).toBe("1 dead; 3 wait behind a dead message of another topic");
    expect(said({ dead: 2, held: { ...held, here: 1 } })).toBe(
      "2 dead, 1 waits behind them; 2 wait behind a dead message of another topic",
    );
  });

  it("of the oldest: late beyond the alert of the overview, and not at it", () => {
    expect(flowState(facts({ oldestMs: 60_000 })).tone).toBe("plain");
    expect(flowState(facts({ oldestMs: 60_001 }))).toMatchObject({ tone: "late", trouble: true });
  });

  it("of a rate: usual up to half more or less, and by one message a minute", () => {
    expect([6, 6.1, 2, 1.9].map((rate) => said({ rate }))).toEqual([
      "as usual",
      "more than usual",
      "as usual",
      "less than usual",
    ]);
    expect(said({ rate: 1, usual: 0 })).toBe("as usual");
    expect(said({ usual: undefined })).toBe("on time");
    expect(said({ rate: undefined })).toBe("not measured");
  });

  it("TRUTH-1 of all without trouble: only of those that were looked at, where there are more", () => {
    expect(noTroubleWords({ more: false })).toBe("Nothing is late, failing, paused or dead.");
    expect(noTroubleWords({ more: true })).toBe(
      "None of the places that were looked at is late, failing, paused or has dead messages.",
    );
  });
});

describe("FLOW-2 beside a backlog", () => {
  const uncounted = { kind: "consumer", sampled: true } as const;
  const many = { waiting: WAITING_COUNTED, oldestMs: 600_000 };
  const lede = (...nodes: readonly Partial<FlowFacts>[]) =>
    flowLede({
      nodes: nodes.map((changes) => ({ ...facts(changes), ...flowState(facts(changes)) })),
      ...{ window: "now", minutes: { measured: 1, of: 1 }, written: true },
    }).map(({ text }) => text);

  it("says of a consumer of which nothing was found that it was not counted, and not that it is on time", () => {
    expect(said(uncounted)).toBe("what waits not counted");
    expect(said({ ...uncounted, waiting: 1 })).toBe("as usual");
    expect(lede(uncounted)).toEqual(["Nothing that was counted is late."]);
    expect(lede({})).toEqual(["Nothing is late."]);
    expect(lede(uncounted, many)).toEqual(["Nothing else that was counted is late."]);
    expect(lede({ id: "topic:mail" }, many)).toEqual(["Nothing else is late."]);
  });

  it("says of what was not all counted that it waits for at least so long, and fails at least so often", () => {
    expect(said(many)).toBe("late, the oldest for at least 10 min");
    expect(said({ oldestMs: 600_000, waiting: 9_999 })).toBe("late, the oldest for 10 min");
    expect(said({ waiting: WAITING_COUNTED, failing: WAITING_COUNTED })).toContain("10,000+ fail");
  });
});
