import { describe, expect, it } from "vitest";
import type { FlowDetail, FlowNode } from "../views/flow";
import { flowActions } from "./flow-actions";

const node = (changes: Partial<FlowNode> = {}): FlowNode => ({
  ...{ id: "topic:payments", kind: "topic", name: "payments", label: "payments", waiting: 3, failing: 0, dead: 1 },
  ...{ tone: "plain", trouble: true, state: { glyph: "dead", text: "1 dead", tone: "broken" }, weight: 0 },
  ...changes,
});
const safe = { label: "Already processed", text: "ledger processed it." };
const dead = (...rows: readonly object[]): FlowDetail =>
  ({
    id: "topic:payments",
    dead: rows.map((row, at) => ({ id: String(at), safe, closes: true, ...row })),
  }) as unknown as FlowDetail;
const first = (of: FlowNode, detail: FlowDetail) => flowActions({ node: of, detail })[0];
const PAUSED = { at: "2026-11-22T14:29:22.000000Z", by: "Mira Okafor", reason: "a deploy" };
const DOWN = { since: "2026-11-22T14:29:22.000000Z" };

describe("TRUTH-1 what may be done about a dead message of the flow", () => {
  it("goes by what was read beside the node, not by the count of before", () => {
    expect(first(node({ dead: 1 }), dead())?.whyNot).toBe("nothing is dead here.");
    expect(first(node({ dead: 0 }), dead({}))).toMatchObject({ name: "Close 1 as delivered", whyNot: undefined });
    expect(first(node({ dead: 1 }), dead({}, {}))).toMatchObject({ name: "Requeue 2 dead" });
  });

  it.each([
    [{}, "goes on."],
    [{ paused: PAUSED }, "waits on until the topic is resumed."],
    [{ disabledAt: PAUSED.at }, "waits on until the endpoint is enabled."],
    [{ disabledAt: PAUSED.at, paused: PAUSED }, "waits on until the endpoint is enabled."],
    [{ down: DOWN }, "goes on once it can be sent."],
    [{ outage: "transport.unreachable" }, "goes on once it can be sent."],
  ])("%j: what waits behind a closed one %s", (changes, becomes) => {
    expect(first(node(changes), dead({}))?.effect).toBe(`ledger processed it. What waits behind it ${becomes}`);
  });
});
