import { describe, expect, it } from "vitest";
import { filterHref, filterSearch, hrefWith, pageParam } from "./page-address";

const address = {
  path: "/outbox",
  search: { state: "dead", cursor: "abc", dialog: "requeue:1", topic: ["a", "b"] },
} as const;

describe("the address of a page", () => {
  it("keeps what is not named, drops what is undefined", () => {
    expect(hrefWith(address, { dialog: undefined })).toBe("/outbox?state=dead&cursor=abc&topic=a&topic=b");
    expect(hrefWith(address, { open: "x y" })).toBe(
      "/outbox?state=dead&cursor=abc&dialog=requeue%3A1&topic=a&topic=b&open=x+y",
    );
  });

  it("starts a new filter at the first page with nothing open", () => {
    expect(filterHref(address, { state: undefined, topic: undefined })).toBe("/outbox");
    expect(filterHref(address, { state: "pending" })).toBe("/outbox?topic=a&topic=b&state=pending");
  });

  it("tells filters from places", () => {
    expect(filterSearch(address)).toEqual({ state: "dead", cursor: "abc", topic: ["a", "b"] });
    expect(pageParam(address, "dialog")).toBe("requeue:1");
    expect(pageParam(address, "open")).toBeUndefined();
    expect(pageParam({ path: "/", search: { open: ["one", "two"] } }, "open")).toBe("one");
    expect(pageParam({ path: "/", search: { open: "" } }, "open")).toBeUndefined();
  });
});
