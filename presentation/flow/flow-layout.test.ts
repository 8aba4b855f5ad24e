import { describe, expect, it } from "vitest";
import type { FlowEdge, FlowNode } from "../views/flow";
import { COLUMN_NODES, COLUMN_TROUBLED, FLOW_WIDTH, layoutFlow } from "./flow-layout";

const node = (id: string, changes: Partial<FlowNode> = {}): FlowNode => {
  const [kind = "topic", name = id] = id.split(":");
  return {
    ...{
      id,
      kind: kind as FlowNode["kind"],
      name,
      label: name,
      rate: 1,
      waiting: 0,
      failing: 0,
      dead: 0,
      tone: "plain",
    },
    ...{ trouble: false, weight: 0, state: { glyph: "published", tone: "quiet", text: "on time" } },
    ...changes,
  };
};
const edge = (from: string, to: string, rate: number | undefined): FlowEdge => ({ from, to, rate, tone: "plain" });
const placesOf = (nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []) =>
  layoutFlow({ nodes, edges }).nodes.map(({ node: { id } }) => id);
const topics = (count: number, changes: (index: number) => Partial<FlowNode> = () => ({})) =>
  Array.from({ length: count }, (_, index) => node(`topic:t${String(index).padStart(2, "0")}`, changes(index)));

describe("layoutFlow (FLOW-3)", () => {
  it("keeps each node in its place, whatever moves or waits", () => {
    const calm = [node("topic:b"), node("topic:a"), node("consumer:c")];
    const busy = [
      node("topic:b", { rate: 900, waiting: 9, trouble: true }),
      node("topic:a", { rate: 0 }),
      node("consumer:c"),
    ];
    expect(placesOf(busy)).toEqual(placesOf(calm));
    expect(placesOf(calm)).toEqual(["topic:a", "topic:b", "consumer:c"]);
  });

  it("draws no way thinner than 1.5 px, and the others as wide as what moves on them", () => {
    const nodes = [
      node("operation:o", { rate: 100 }),
      node("topic:a", { rate: 75 }),
      node("topic:b", { rate: 25 }),
      node("topic:c", { rate: 0 }),
    ];
    const ways = [
      edge("operation:o", "topic:a", 75),
      edge("operation:o", "topic:b", 25),
      edge("operation:o", "topic:c", 0),
      edge("operation:o", "topic:c", undefined),
    ];
    const widths = layoutFlow({ nodes, edges: ways.slice(0, 3) }).edges.map(({ width }) => width);
    expect(widths[0]).toBeCloseTo((widths[1] ?? 0) * 3);
    expect(widths[2]).toBe(1.5);
    const [unmeasured] = layoutFlow({ nodes, edges: ways.slice(3) }).edges;
    expect(unmeasured?.width).toBe(1.5);
  });

  it("folds what does least beyond eight a column, and never what is in trouble or selected", () => {
    const many = topics(60, (index) => ({ weight: index, trouble: index % 6 === 0 && index < 60 }));
    const drawn = layoutFlow({ nodes: many, edges: [] }, "topic:t01").nodes;
    const shown = drawn.map(({ node: { id } }) => id);
    for (const { id, trouble } of many) if (trouble) expect(shown).toContain(id);
    expect(shown).toContain("topic:t01");
    expect(drawn.at(-1)).toMatchObject({ node: { label: "49 more, no trouble", rate: 49 }, folded: 49 });
    const few = layoutFlow({ nodes: topics(20, (index) => ({ weight: index })), edges: [] }).nodes;
    expect(few).toHaveLength(COLUMN_NODES + 1);
    expect(few.slice(0, COLUMN_NODES).map(({ node: { id } }) => id)).toEqual(
      topics(20)
        .slice(12)
        .map(({ id }) => id),
    );
  });

  it("shows the worst of a column full of trouble, and counts the others by state", () => {
    const many = topics(60, (index) => ({
      ...{
        trouble: true,
        weight: index,
        dead: index < 40 ? 1 : 0,
        oldestMs: index % 10 === 0 ? 9_000_000 + index : undefined,
      },
      ...(index >= 50 && { paused: { at: "2026-11-23T12:00:00Z", by: "Ada", reason: "" }, tone: "paused" as const }),
    }));
    const drawn = layoutFlow({ nodes: many, edges: [] }).nodes;
    expect(drawn).toHaveLength(COLUMN_TROUBLED + 1);
    // Five are late; t50 is old and paused, so nobody calls it late.
    for (const id of ["topic:t00", "topic:t10", "topic:t20", "topic:t30", "topic:t40"])
      expect(drawn.map(({ node }) => node.id)).toContain(id);
    const more = drawn.at(-1);
    expect(more).toMatchObject({ folded: 46, node: { label: "46 more", trouble: true, tone: "paused" } });
    const folded = many.filter(({ id }) => !drawn.some(({ node }) => node.id === id));
    const [dead, paused] = [folded.filter((each) => each.dead > 0), folded.filter((each) => each.paused !== undefined)];
    expect(more?.states.map(({ text }) => text)).toEqual([
      `${String(paused.length)} paused`,
      `${String(dead.length)} with dead`,
    ]);
    expect(new Set([...dead, ...paused, ...folded]).size).toBe(dead.length + paused.length + 9);
  });

  it("draws the ways of folded nodes as one, as late as the latest of them", () => {
    const many = topics(12, (index) => ({ weight: index }));
    const ways = many.map(({ id }, index): FlowEdge => ({
      ...edge("operation:o", id, 2),
      tone: index === 0 ? "late" : "plain",
    }));
    const { edges } = layoutFlow({ nodes: [node("operation:o"), ...many], edges: ways });
    expect(edges).toHaveLength(COLUMN_NODES + 1);
    expect(edges.find(({ edge: { to } }) => to === "more:topic")?.edge).toMatchObject({ rate: 8, tone: "late" });
  });

  it("keeps nodes apart and within the drawing, also where thousands move", () => {
    const nodes = [node("operation:o", { rate: 1e6 }), ...topics(9, () => ({ rate: 1e5, trouble: true }))];
    const ways = nodes.slice(1).map(({ id }) => edge("operation:o", id, 1e5));
    const { nodes: drawn, edges, height } = layoutFlow({ nodes, edges: ways });
    for (const column of [0, 1]) {
      const ends = drawn.filter((each) => each.column === column);
      for (const [index, each] of ends.entries()) {
        const next = ends[index + 1];
        if (next !== undefined) expect(next.y - (each.y + each.height)).toBeGreaterThanOrEqual(30);
        expect(each.y + each.height).toBeLessThan(height);
        expect(each.x + 6).toBeLessThanOrEqual(FLOW_WIDTH);
      }
    }
    for (const {
      edge: { to },
      to: [, y],
      width,
    } of edges) {
      const end = drawn.find(({ node: { id } }) => id === to);
      expect(y + width).toBeLessThanOrEqual((end?.y ?? 0) + (end?.height ?? 0) + 0.01);
    }
  });
});
