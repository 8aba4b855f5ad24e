import { describe, expect, it } from "vitest";
import { isPathName, isReadablePath, nameIn, PATH_NAME_MAX, readableUrl } from "./path-name";

describe("a name in a path", () => {
  it.each([
    ["till-7", "till-7"],
    ["shop%2Fberlin%20%C3%A9", "shop/berlin é"],
    ["0198aaaa-0000-7000-8000-000000000000", "0198aaaa-0000-7000-8000-000000000000"],
    ["x".repeat(PATH_NAME_MAX), "x".repeat(PATH_NAME_MAX)],
    ["%00", undefined],
    ["a%00b", undefined],
    ["%0A", undefined],
    ["%C2%85", undefined],
    ["%FF", undefined],
    ["%", undefined],
    ["x".repeat(PATH_NAME_MAX + 1), undefined],
  ])("%j names %j", (segment, name) => {
    expect(nameIn(segment)).toBe(name);
  });

  it("is looked for only when something can be called that", () => {
    expect([isPathName("till"), isPathName("a\u0000b"), isPathName("x".repeat(PATH_NAME_MAX + 1))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("an address", () => {
  it("is readable without control characters and in UTF-8 only", () => {
    expect(["/a/b", "/a%2Fb/%C3%A9", "/a/%00", "/a/%FF", "/a/%"].map(isReadablePath)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ["/clients/till%207?range=7d", "/clients/till%207?range=7d"],
    ["/operations?key=%FF", "/operations?key=%FF"],
    ["/clients/%FF", "/not-an-address"],
    ["/clients/%ED%A0%80?tenant=acme", "/not-an-address"],
  ])("%s leads to %s", (sent, read) => {
    expect(readableUrl(sent)).toBe(read);
  });
});
