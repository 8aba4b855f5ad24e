import { describe, expect, it } from "vitest";
import { API_KEY_LENGTH, newApiKey, parseApiKey, parseBearer, sameHash } from "./api-key-format";

describe("an API key", () => {
  it("has the form ob_<publicId>_<secret> and comes back as its two parts", () => {
    const made = newApiKey();
    expect(made.key).toHaveLength(API_KEY_LENGTH);
    expect(made.key).toMatch(/^ob_[0-9a-f]{20}_[A-Za-z0-9_-]{43}$/);
    const parsed = parseApiKey(made.key);
    expect(parsed?.publicId).toBe(made.publicId);
    expect(parsed !== undefined && sameHash(parsed.secretHash, made.secretHash)).toBe(true);
    expect(made.secretHash).toHaveLength(32);
  });

  it("is never the same twice", () => {
    expect(newApiKey().key).not.toBe(newApiKey().key);
  });

  it.each([
    ["", "empty"],
    ["ob_", "no parts"],
    [`xx_${"a".repeat(20)}_${"A".repeat(43)}`, "another prefix"],
    [`ob_${"A".repeat(20)}_${"A".repeat(43)}`, "upper case in the public part"],
    [`ob_${"a".repeat(20)}_${"A".repeat(42)}`, "too short"],
    [`ob_${"a".repeat(20)}_${"A".repeat(44)}`, "too long"],
    [`ob_${"a".repeat(20)}_${"A".repeat(42)}=`, "padding"],
    [`ob_${"a".repeat(20)}_${"A".repeat(42)}B`, "spare bits set"],
    [`ob_${"a".repeat(20)}_${"A".repeat(42)}\n`, "a line end"],
  ])("refuses %j (%s)", (key) => {
    expect(parseApiKey(key)).toBeUndefined();
  });

  it("is read from a bearer header of any case, and from nothing else", () => {
    const { key, publicId } = newApiKey();
    for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key} `]) {
      expect(parseBearer(header)?.publicId).toBe(publicId);
    }
    for (const header of [
      undefined,
      null,
      "",
      key,
      `Basic ${key}`,
      `Bearer ${key}, Bearer ${key}`,
      "Bearer ".repeat(99),
    ]) {
      expect(parseBearer(header)).toBeUndefined();
    }
  });
});
