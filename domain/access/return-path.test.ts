import { describe, expect, it } from "vitest";
import { ownPage, returnPath } from "./return-path";

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

const ID = "01a1b2c3-0000-7000-8000-00aec1e627ff";

describe("the page of one thing", () => {
  it.each(["operations", "outbox", "inbox"] as const)("is known for %s", (page) => {
    expect(ownPage(`/${page}/${ID.toUpperCase()}`)).toEqual({ page, id: ID });
  });
  it("is known for the proof of an operation", () => {
    expect(ownPage(`/operations/${ID}/proof`)).toEqual({ page: "operations", id: ID });
  });
  it.each(["/", "/operations", "/operations/1", `/audit/${ID}`, `/operations/${ID}/more`])("is not %s", (path) => {
    expect(ownPage(path)).toBeUndefined();
  });
});
