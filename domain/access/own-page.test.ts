import { describe, expect, it } from "vitest";
import { ownPage } from "./own-page";

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
