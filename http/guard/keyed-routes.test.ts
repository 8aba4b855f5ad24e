import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import type { ApiEnv } from "../env";

it("KEY-7 a route that needs its key says so to another copy of the module too", async () => {
  const one = await import("./keyed-routes");
  vi.resetModules();
  const other = await import("./keyed-routes");
  expect(other.needsKey).not.toBe(one.needsKey);
  const app = new Hono<ApiEnv>()
    .post(
      "/api/v1/keyed",
      one.needsKey((c) => c.json({})),
    )
    .post("/api/v1/bare", (c) => c.json({}));
  expect(other.routeFacts(app).map(({ path, keyed }) => [path, keyed])).toEqual([
    ["/api/v1/keyed", true],
    ["/api/v1/bare", false],
  ]);
});
