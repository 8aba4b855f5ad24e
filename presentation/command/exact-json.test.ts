import { describe, expect, it } from "vitest";
import { exactDigits, formatExact, parseExact } from "@/domain/idempotency/exact-json";
import { maskDocument } from "./mask";

const TEXT = '{"id":12345678901234567890,"amount":1.10,"list":[1e400,-0],"none":null}';

describe("OPERATION-3 JSON with its numbers intact", () => {
  it("keeps digits that a float has no room for", () => {
    expect(formatExact(parseExact(TEXT)).replaceAll(/\s/g, "")).toBe(TEXT);
  });

  it("tells a number from everything else", () => {
    const document = parseExact('{"amount":1.10,"text":"1.10"}') as Record<string, unknown>;
    expect([exactDigits(document["amount"]), exactDigits(document["text"]), exactDigits(null)]).toEqual([
      "1.10",
      undefined,
      undefined,
    ]);
  });

  it("is shown by the mask as it was sent, and masked where it is not plain", () => {
    expect(maskDocument(parseExact('{"id":12345678901234567890,"card":4111111111111111}'))).toEqual([
      { name: "id", value: "12345678901234567890", masked: false },
      { name: "card", value: "••••••", masked: true },
    ]);
  });
});
