import { describe, expect, it } from "vitest";
import { UUID, UUID_INSIDE, UUIDS } from "./uuid";

const ID = "018f9b7e-1c2d-7e3f-8a9b-0c1d2e3f4a5b";

describe("UUIDs in texts", () => {
  it.each([
    [ID, true],
    [ID.toUpperCase(), true],
    ["00000000-0000-0000-0000-000000000000", true],
    [`${ID}\n`, false],
    [` ${ID}`, false],
    [`${ID}0`, false],
    [ID.replaceAll("-", ""), false],
    [ID.replace("0", "g"), false],
    ["", false],
  ])("%j is one: %s", (text, is) => {
    expect(UUID.test(text)).toBe(is);
  });

  it("are found inside a text, the first or each", () => {
    const text = `urn:uuid:${ID}, ${ID.toUpperCase()}`;
    expect(UUID_INSIDE.exec(text)?.[0]).toBe(ID);
    expect(text.replace(UUIDS, "x")).toBe("urn:uuid:x, x");
  });
});
