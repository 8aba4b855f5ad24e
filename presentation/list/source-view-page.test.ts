import { describe, expect, it } from "vitest";
import { isListPage, isViewPage, keptSearch, systemViews, viewHref, viewPage } from "./saved-view";
import { sourceOfPage, sourceViewPage } from "./source-view-page";

describe("lists of attached databases as pages with saved views", () => {
  const page = sourceViewPage("orders-db", "dead");

  it("each has its own, with its address and the states that it knows", () => {
    expect(page).toBe("sources/orders-db/dead-letters");
    expect(isViewPage(page)).toBe(true);
    expect(isListPage(page)).toBe(false);
    expect(viewPage(page)).toMatchObject({
      path: "/sources/orders-db/dead-letters",
      title: "Dead letters of orders-db",
    });
    expect(systemViews(page)).toEqual([{ name: "All", href: "/sources/orders-db/dead-letters" }]);
    expect(sourceOfPage(page)).toEqual({ name: "orders-db", view: "dead" });
    expect(viewHref({ page, id: "v1", search: "?state=dead" })).toBe(
      "/sources/orders-db/dead-letters?state=dead&view=v1",
    );
  });

  it("a view keeps the state, and neither place nor open row", () => {
    expect(keptSearch(page, { state: "dead", cursor: "x", open: "y", dialog: "z" })).toEqual({
      search: "?state=dead",
      problems: [],
    });
    expect(keptSearch(page, { state: "sent" }).problems).toMatchObject([{ name: "state" }]);
  });

  it.each([
    "sources/orders-db",
    "sources/orders-db/retention",
    "sources/Orders/outbox",
    "sources//outbox",
    "sources/orders-db/outbox/more",
    "other/orders-db/outbox",
  ])("%s is none", (text) => {
    expect(sourceOfPage(text)).toBeUndefined();
    expect(isViewPage(text)).toBe(false);
  });
});
