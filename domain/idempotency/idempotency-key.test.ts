import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseIdempotencyKey } from "./idempotency-key";

describe("parseIdempotencyKey", () => {
  it("takes a bare key and its quoted form for one key", () => {
    const visible = fc.stringMatching(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]{1,255}$/);
    fc.assert(
      fc.property(visible, (key) => {
        const quoted = `"${key.replaceAll("\\", "\\\\")}"`;
        expect(parseIdempotencyKey([key])).toEqual({ kind: "key", key });
        expect(parseIdempotencyKey([quoted])).toEqual({ kind: "key", key });
      }),
    );
  });

  it("takes comma and space inside quotes, as Structured Fields strings have them", () => {
    expect(parseIdempotencyKey(['"order 1, item 2"'])).toEqual({ kind: "key", key: "order 1, item 2" });
    const text = fc.stringMatching(/^[\x20-\x7e]{0,60}[\x21-\x7e]$/);
    fc.assert(
      fc.property(text, (key) => {
        expect(parseIdempotencyKey([`"${key.replaceAll(/["\\]/g, "\\$&")}"`])).toEqual({ kind: "key", key });
      }),
    );
  });

  it("refuses two lines, and two keys once a host has joined their lines", () => {
    const bare = fc.stringMatching(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]{1,40}$/);
    const quoted = fc.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]{0,40}$/).map((text) => `"${text}"`);
    const line = fc.oneof(bare, quoted);
    fc.assert(
      fc.property(line, line, (first, second) => {
        expect(parseIdempotencyKey([first, second]).kind).toBe("invalid");
        expect(parseIdempotencyKey([`${first}, ${second}`]).kind).toBe("invalid");
      }),
    );
  });

  it("KEY-6 never gives a key that is empty, too long, or not ASCII", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const parsed = parseIdempotencyKey([text]);
        if (parsed.kind === "key") expect(parsed.key).toMatch(/^(?=.*\S)[\x20-\x7e]{1,255}$/);
      }),
    );
  });

  it("tells no header from an empty one", () => {
    expect(parseIdempotencyKey([]).kind).toBe("missing");
    expect(parseIdempotencyKey([""]).kind).toBe("invalid");
  });

  it("is quick on a long hostile line", () => {
    const started = performance.now();
    parseIdempotencyKey([`"${"\\".repeat(60_000)}`]);
    parseIdempotencyKey([`"${"a\\\\".repeat(20_000)}`]);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
