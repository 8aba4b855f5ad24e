import { describe, expect, it } from "vitest";
import { returnPath } from "./return-path";

describe("the way back after sign-in", () => {
  it.each(["/", "/operations", "/operations/01a1?tab=requests#lease", "/find?q=till%2F7"])("keeps %s", (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    undefined,
    "",
    ["/operations", "/outbox"],
    "operations",
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "javascript:alert(1)",
    "/sign-in?next=/sign-in",
    "/api/auth/sign-out",
    `/${"a".repeat(2_000)}`,
  ])("drops %j", (value) => {
    expect(returnPath(value)).toBe("/");
  });
});
