import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import type { ApiEnv } from "./env";

it("KEY-7 a route that needs its key says so to another copy of the module too", async () => {
  const one = await import("./declare");
  vi.resetModules();
  const other = await import("./declare");
  expect(other.declared).not.toBe(one.declared);
  const about = { id: "keyed", summary: "Needs a key", answers: {}, keyed: true };
  const app = new Hono<ApiEnv>()
    .post(
      "/api/v1/keyed",
      one.declared(about, (c: { json(body: object): Response }) => c.json({})),
    )
    .post("/api/v1/bare", (c) => c.json({}));
  expect(other.routeFacts(app).map(({ path, keyed }) => [path, keyed])).toEqual([
    ["/api/v1/keyed", true],
    ["/api/v1/bare", false],
  ]);
});
