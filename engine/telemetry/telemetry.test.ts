import { describe, expect, it } from "vitest";
import { currentTraceparent, goodTraceparent, inSpan, traceHeaders, traceIdIn } from "./telemetry";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

describe("trace context", () => {
  it.each([
    [`00-${TRACE}-${PARENT}-01`, TRACE],
    [`00-${TRACE}-${PARENT}-00`, TRACE],
    [`cc-${TRACE}-${PARENT}-01`, TRACE],
    [`ff-${TRACE}-${PARENT}-01`, undefined],
    [`00-${"0".repeat(32)}-${PARENT}-01`, undefined],
    [`00-${TRACE}-${"0".repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${PARENT}-01`, undefined],
    [`00-${TRACE}-${PARENT}-01-more`, undefined],
    ["", undefined],
  ])("%s is of trace %s", (header, traceId) => {
    expect(traceIdIn(header)).toBe(traceId);
    expect(goodTraceparent(header)).toBe(traceId === undefined ? undefined : header);
  });

  it("while nobody exports, work runs as it is and nothing is handed on", async () => {
    const inside = await inSpan("work", { parent: `00-${TRACE}-${PARENT}-01` }, async (span) => {
      span.set({ "idempotency.attempt": 1 });
      return Promise.resolve([currentTraceparent(), traceHeaders()]);
    });
    expect(inside).toEqual([undefined, {}]);
    const facts = () => {
      throw new Error("asked for facts that nobody keeps");
    };
    await expect(inSpan("work", { facts }, () => Promise.reject(new Error("its own")))).rejects.toThrow("its own");
  });
});
