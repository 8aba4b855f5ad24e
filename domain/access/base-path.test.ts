import { describe, expect, test } from "vitest";
import { BASE_PATH_MAX, basePathOf, isBasePath, pathInside } from "./base-path";

describe("a base path", () => {
  test.each(["", "/onceboard", "/ops/once_board-2", `/${"a".repeat(BASE_PATH_MAX - 1)}`])("may be %j", (text) => {
    expect(isBasePath(text)).toBe(true);
  });

  test.each([
    "/",
    "onceboard",
    "/onceboard/",
    "//ops",
    "/a//b",
    "/..",
    "/.well",
    "/a b",
    "/a?b",
    "/a%2Fb",
    "/ü",
    "/a.b",
  ])("may not be %j", (text) => {
    expect(isBasePath(text)).toBe(false);
  });

  test("is bounded", () => {
    expect(isBasePath(`/${"a".repeat(BASE_PATH_MAX)}`)).toBe(false);
  });
});

test("the base path is the path of the public address", () => {
  expect(basePathOf("https://ops.example.com")).toBe("");
  expect(basePathOf("https://ops.example.com/ops/onceboard/")).toBe("/ops/onceboard");
});

describe("a path inside", () => {
  test("is the path itself without a base path", () => {
    expect(pathInside("", "/operations")).toBe("/operations");
  });

  test("lacks the base path, which names the first page", () => {
    expect(pathInside("/ops", "/ops/operations")).toBe("/operations");
    expect(pathInside("/ops", "/ops")).toBe("/");
    expect(pathInside("/ops", "/ops/")).toBe("/");
  });

  test("is nowhere outside of it, also where a name begins the same", () => {
    for (const path of ["/", "/operations", "/opsy", "/OPS/operations", "//ops/x"]) {
      expect(pathInside("/ops", path)).toBeUndefined();
    }
  });
});
