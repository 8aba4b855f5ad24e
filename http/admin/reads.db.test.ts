import { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toAppError } from "@/domain/errors";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import type { LiveStatus } from "@/presentation/metrics/live-status";
import type { AdminEnv } from "../env";
import { registerAdminReads } from "./reads";

let desk: Desk;
const app = new Hono<AdminEnv>();

beforeAll(async () => {
  desk = await openDesk();
  await desk.make.completed();
  app.use(async (c, next) => {
    c.set("ctx", desk.context("viewer"));
    c.set("requestId", "req-1");
    // Of all that a process has, these reads ask for its default transport only.
    c.set("deps", { config: { outboxTransport: "http" } } as AdminEnv["Variables"]["deps"]);
    await next();
  });
  app.onError((error, c) => {
    const known = toAppError(error);
    return c.json({ code: known.code, ...known.extensions }, known.status as 400);
  });
  registerAdminReads(app);
});
afterAll(() => desk.close());

const READS = [
  "/operations",
  "/operations/counts",
  "/conflicts",
  "/attention",
  "/outbox",
  "/inbox",
  "/dead-letters",
  "/retention/runs",
  "/audit",
  "/find?q=42.00",
  "/references",
  "/references?customer=acc_1&amount=42.00&day=2026-11-19",
  "/overview",
  "/metrics",
  "/settings",
  "/pulse",
] as const;

it.each(READS)("answers %s", async (path) => {
  expect((await app.request(path)).status).toBe(200);
});

it("leaves no entry in the audit", async () => {
  const entries = () => desk.rows("select id from onceboard.audit_entries");
  const before = await entries();
  for (const path of READS) await app.request(path);
  expect(await entries()).toEqual(before);
});

it("names a filter that it does not know", async () => {
  const response = await app.request("/operations?sate=STALE&min=ten");
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ code: "validation.filter", filters: ["min", "sate"] });
});

it("says 404 for what is not there", async () => {
  for (const path of [
    "/operations/nothing",
    "/outbox/nothing",
    "/inbox/nothing",
    "/conflicts/nothing",
    "/audit/nothing",
    "/references/nothing",
  ])
    expect((await app.request(path)).status, path).toBe(404);
});

it("answers an unchanged pulse without a body, however much older what is open has become", async () => {
  await desk.make.unknown();
  const path = "/pulse?page=operations&since=2026-01-01T00:00:00Z&state=STALE";
  const first = await app.request(path);
  await desk.rows(
    "update onceboard.idempotency_open set opened_at = opened_at - interval '1 hour', unknown_since = unknown_since - interval '1 hour'",
  );
  const again = await app.request(path, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
});

it("says new counts at once to a tab whose reading again waits for others", async () => {
  const poll = (tag = "") => app.request("/pulse?page=overview", { headers: { "if-none-match": tag } });
  const first = await poll();
  const before = (await first.json()) as LiveStatus;
  const tag = first.headers.get("etag") ?? "";
  // As many as fifty tabs ask in a while.
  for (let tab = 0; tab < 140; tab += 1) await poll(tag);
  await desk.make.unknown();
  let heard: LiveStatus | undefined;
  await expect
    .poll(async () => {
      const answer = await poll(tag);
      return (heard = answer.status === 200 ? ((await answer.json()) as LiveStatus) : undefined)?.counts.unknown;
    })
    .toBe((before.counts.unknown ?? 0) + 1);
  expect(heard?.mark).toBe(before.mark);
  expect(((await (await poll()).json()) as LiveStatus).mark).not.toBe(before.mark);
});
