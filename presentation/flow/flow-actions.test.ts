import { describe, expect, it } from "vitest";
import type { FlowDetail, FlowNode } from "../views/flow";
import { ACTIONS } from "@/domain/access/permission";
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

  // What waited behind it may be of another topic: whether that goes on is not known here.
  it.each([{}, { paused: PAUSED }, { disabledAt: PAUSED.at }, { down: DOWN }, { outage: "transport.unreachable" }])(
    "%j: nothing waits behind one that is closed",
    (changes) => {
      expect(first(node(changes), dead({}))?.effect).toBe("ledger processed it. Nothing waits behind it any more.");
    },
  );

  it.each([
    [{}, "It waits to be sent again; what waits behind it keeps its place"],
    [{ paused: PAUSED }, "It waits again, until the topic is resumed"],
    [{ disabledAt: PAUSED.at }, "It waits again, until the endpoint is enabled"],
    [{ kind: "consumer" as const }, "It waits to be handled again"],
  ])("%j: one that is requeued %s", (changes, becomes) => {
    expect(first(node(changes), dead({ closes: undefined }))?.effect).toBe(becomes);
  });
});

describe("TRUTH-1 what is not offered at a node", () => {
  const whyNot = (kind: FlowNode["kind"], name: string) =>
    flowActions({ node: node({ kind }), detail: dead() }).find((action) => action.name === name)?.whyNot;

  it("says that only topics are paused, as no other action pauses anything", () => {
    expect(whyNot("consumer", "Pause")).toBe("only topics are paused, not consumers.");
    expect(whyNot("operation", "Pause")).toBe("callers send operations; only topics are paused.");
    expect(ACTIONS.filter((action) => /pause|resume/.test(action))).toEqual(["topics.pause", "topics.resume"]);
  });

  it("says that nobody posts by hand, as no action writes to the ledger", () => {
    expect(whyNot("ledger", "Change")).toBe("entries are posted by the consumer, never by hand.");
    expect(ACTIONS.filter((action) => /ledger|entr|post/.test(action))).toEqual([]);
  });
});
