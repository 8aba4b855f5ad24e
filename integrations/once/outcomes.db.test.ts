import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callScalar } from "@/db/named-call";
import { createBodyKeyring } from "@/engine/bodies/body-keyring";
import { startOnceboardTests, type OnceboardTestServer, type TestOnceboard } from "../testing";
import type { PgClient } from "../transactions/pg";
import { ARGUMENT_TYPES } from "../transactions/text-statement";
import { createOnceboard, type Onceboard, type OnceRequest } from "./create-onceboard";
import type { OnceKind, Work } from "./definition";

const SET_UP = "create schema shop; create table shop.orders (operation_id uuid not null)";
const EFFECTS = "select operation_id from shop.orders";
const PLACE = "orders.place";
const WINDOW_SECONDS = 60;

let server: OnceboardTestServer;
let test: TestOnceboard;
let onceboard: Onceboard<PgClient>;
const made: Onceboard<PgClient>[] = [];
beforeAll(async () => {
  server = await startOnceboardTests();
  test = await server.create({ setUp: SET_UP, tenants: ["acme", "globex", "once"] });
  onceboard = create();
});
afterAll(async () => {
  await Promise.all(made.map((one) => one.close()));
  await test.drop();
  await server.stop();
});

function create(kind: Partial<OnceKind> = {}, service = "shop"): Onceboard<PgClient> {
  const kinds = [{ name: PLACE, label: "Order", ...kind }];
  const one = createOnceboard({ ...test.secrets, pool: test.pool, service, kinds, logLevel: "silent" });
  made.push(one);
  return one;
}
function request(more: Partial<OnceRequest> = {}): OnceRequest {
  const key = randomBytes(8).toString("hex");
  return { tenant: "acme", operation: PLACE, key, command: { item: "pen" }, principal: "till", ...more };
}
const place: Work<PgClient> = async (tx, { operationId }) => {
  await tx.query("insert into shop.orders (operation_id) values ($1)", [operationId]);
  return { status: 201, body: { orderId: operationId } };
};

async function operationOf(asked: OnceRequest): Promise<string> {
  const { rows } = await test.pool.query<{ id: string }>({
    text: "select operation_id as id from onceboard.idempotency_requests where tenant_id = $1 and key = $2",
    values: [asked.tenant, asked.key],
  });
  return rows[0]?.id ?? expect.fail("no operation");
}

/** A claim without its answer, as a service in another language leaves it that died. */
async function claimAlone(asked: OnceRequest, state = "IN_PROGRESS"): Promise<void> {
  await onceboard.once(asked, place);
  const id = await operationOf(asked);
  await test.pool.query({
    text: "update onceboard.idempotency_requests set state = $2, completed_at = null where operation_id = $1",
    values: [id, state],
  });
  await test.pool.query({ text: "delete from shop.orders where operation_id = $1", values: [id] });
  await test.pool.query({
    text: "delete from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response'",
    values: [id],
  });
  if (state === "FAILED_RETRYABLE") return;
  await test.pool.query({
    text: `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, opened_at, stage)
           select tenant_id, operation_id, operation, key, 'gone', fence, clock_timestamp() + interval '30 s', created_at, 'RECEIVED'
           from onceboard.idempotency_requests where operation_id = $1`,
    values: [id],
  });
}

describe("outcomes of once()", () => {
  it("is in progress while an owner holds the key, released when it died, and then executed", async () => {
    const asked = request();
    await claimAlone(asked);
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "in_progress", retryAfterSeconds: 2 });
    await test.passTime(31);
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "released" });
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "executed" });
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("REPLAY-10 keeps an answer 202 as it is", async () => {
    const asked = request();
    const accept: Work<PgClient> = async (tx, claim) => {
      await place(tx, claim);
      return { status: 202, body: { job: claim.operationId }, headers: { location: `/jobs/${claim.operationId}` } };
    };
    const first = await onceboard.once(asked, accept);
    const again = await onceboard.once(asked, accept);
    expect([first.outcome, again.outcome]).toEqual(["executed", "replayed"]);
    const response = "response" in first ? first.response : undefined;
    expect(response).toMatchObject({
      status: 202,
      headers: { location: expect.stringMatching(/^\/jobs\//) as string },
    });
    expect("response" in again && again.response).toEqual(response);
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("is unknown while nobody knows what happened", async () => {
    const asked = request();
    await claimAlone(asked, "UNKNOWN_REQUIRES_RECOVERY");
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "unknown", retryAfterSeconds: 60 });
    await test.pool.query({ text: "delete from onceboard.idempotency_requests where key = $1", values: [asked.key] });
  });

  it("is expired once the window is over", async () => {
    const asked = request({ ttlSeconds: WINDOW_SECONDS });
    await onceboard.once(asked, place);
    await test.passTime(WINDOW_SECONDS);
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "expired" });
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("is exhausted after as many attempts as the policy allows", async () => {
    const asked = request();
    await claimAlone(asked, "FAILED_RETRYABLE");
    const strict = create({ policy: { maxAttempts: 1 } });
    expect(await strict.once(asked, place)).toMatchObject({ outcome: "exhausted" });
  });

  it("obeys the policy of the tenant: a refusal that does not bind leaves nothing", async () => {
    await callScalar(test.pool, "set_operation_policy", {
      tenantId: "globex",
      operation: PLACE,
      overrides: JSON.stringify({ refusals: "not_binding" }),
      expectedVersion: 0,
      by: "test",
    });
    const asked = request({ tenant: "globex" });
    const refuse: Work<PgClient> = async (tx, claim) => {
      await place(tx, claim);
      return { status: 409, code: "stock.none", body: { reason: "none left" } };
    };
    const refused = await onceboard.once(asked, refuse);
    expect(refused).toMatchObject({ outcome: "refused", code: "stock.none", response: { status: 409 } });
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "executed" });
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("ONCE-1 tells the work what the tenant decided of another key for the same thing", async () => {
    await callScalar(test.pool, "set_operation_policy", {
      tenantId: "once",
      operation: PLACE,
      overrides: JSON.stringify({ newKey: "once" }),
      expectedVersion: 0,
      by: "test",
    });
    const told: string[] = [];
    const work: Work<PgClient> = (tx, claim) => {
      told.push(claim.policy.newKey);
      return place(tx, claim);
    };
    await onceboard.once(request(), work);
    await onceboard.once(request({ tenant: "once" }), work);
    expect(told).toEqual(["again", "once"]);
  });

  it("keeps command and answer so that the console opens them", async () => {
    const asked = request();
    await onceboard.once(asked, place);
    const operationId = await operationOf(asked);
    const keyring = createBodyKeyring({ db: { pool: test.pool }, ...test.secrets });
    const { rows } = await test.pool.query<{ kind: "command" | "response"; body: Buffer }>({
      text: "select kind, body from onceboard.idempotency_bodies where operation_id = $1 order by kind",
      values: [operationId],
    });
    const subject = { tenantId: "acme", operation: PLACE, key: asked.key, operationId };
    const texts = await Promise.all(
      rows.map(async ({ kind, body }) => String(await keyring.open(body, subject, kind))),
    );
    expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual([
      { operation: PLACE, apiVersion: "1", fields: { item: "pen" } },
      { orderId: operationId },
    ]);
  });

  it("registers its kinds, and refuses to start over another owner's", async () => {
    await onceboard.register();
    const { rows } = await test.pool.query({
      text: "select owner, runs_in, label, path from onceboard.operation_kinds where name = $1",
      values: [PLACE],
    });
    expect(rows).toEqual([{ owner: "shop", runs_in: "service", label: "Order", path: "local" }]);
    await expect(create({}, "billing").once(request(), place)).rejects.toMatchObject({ code: "42710" });
  });

  it("records what each caller got", async () => {
    const asked = request();
    const recorded = create();
    await recorded.once(asked, place);
    await recorded.once(asked, place);
    await recorded.once({ ...asked, command: { item: "ink" } }, place);
    await recorded.close();
    const { rows } = await test.pool.query<{ outcome: string; client: string }>({
      text: "select outcome, client from onceboard.idempotency_events where operation_id = $1 order by outcome",
      values: [await operationOf(asked)],
    });
    expect(rows.map(({ outcome, client }) => `${outcome} ${client}`)).toEqual([
      "conflict till",
      "executed till",
      "replayed till",
    ]);
  });

  it.each([
    ["a stream", { body: new ReadableStream() }, "answer.streaming"],
    ["a response", { body: new Response("x") }, "answer.streaming"],
    ["a generator", { body: (function* () {})() }, "answer.streaming"],
    ["a cookie", { headers: { "Set-Cookie": "a=b" } }, "answer.header"],
    ["a header in another script", { headers: { location: "/stra\u20ac" } }, "answer.header"],
    ["a header of two lines", { headers: { location: "/a\nset-cookie: b" } }, "answer.header"],
    ["a header that is no text", { headers: { etag: null } }, "answer.header"],
    ["a failure of its own", { status: 503 }, "answer.status"],
    ["nothing", undefined, "answer.value"],
    ["null", null, "answer.value"],
    ["a text instead of an answer", "done", "answer.value"],
    ["a bigint", { body: { amount: 10n } }, "answer.value"],
    ["a function", { body: () => 1 }, "answer.value"],
    ["a promise", { body: Promise.resolve(1) }, "answer.streaming"],
  ])("refuses %s as an answer, and takes the work back", async (_what, answer, code) => {
    const asked = request();
    const work: Work<PgClient> = async (tx, claim) => {
      await place(tx, claim);
      return answer as never;
    };
    await expect(onceboard.once(asked, work)).rejects.toMatchObject({ name: "UsageError", code });
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("throws a lost lock of the work as what it is, and not as a key in progress", async () => {
    const locked: Work<PgClient> = () => Promise.reject(Object.assign(new Error("lock timeout"), { code: "55P03" }));
    await expect(onceboard.once(request(), locked)).rejects.toMatchObject({ code: "55P03" });
  });

  it.each([
    ["tenant", ""],
    ["tenant", undefined],
    ["principal", ""],
    ["principal", undefined],
    ["ttlSeconds", Number.NaN],
    ["ttlSeconds", 0],
    ["ttlSeconds", -60],
  ])("refuses a request whose %s is %s", async (member, value) => {
    const asked = { ...request(), [member]: value };
    await expect(onceboard.once(asked, place)).rejects.toMatchObject({ name: "UsageError", code: "request.value" });
  });

  it.each([["text"], [["a"]], [undefined], [null]])("refuses the command %j", async (command) => {
    await expect(onceboard.once(request({ command: command as never }), place)).rejects.toMatchObject({
      name: "UsageError",
      code: "command.value",
    });
  });

  it("takes a window of a part of a second for the whole seconds in it", async () => {
    const asked = request({ ttlSeconds: WINDOW_SECONDS + 0.5 });
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "executed" });
  });

  it.each([["admin.requeue"], [""], ["orders\nplace"], ["o".repeat(201)]])(
    "refuses the operation name '%s'",
    async (operation) => {
      await expect(onceboard.once(request({ operation }), place)).rejects.toMatchObject({ code: "operation.name" });
    },
  );

  it.each([[""], [" "], ["ü"], ["k".repeat(256)]])("refuses the key '%s'", async (key) => {
    await expect(onceboard.once(request({ key }), place)).rejects.toMatchObject({ code: "idempotency.key_invalid" });
  });
});

describe("statements in the caller's transaction", () => {
  it("cast each argument to the type that the function has", async () => {
    const { rows } = await test.pool.query<{ name: string; type: string }>({
      text: `select substr(a.name, 3) as name, format_type(a.type, null) as type from pg_proc p,
               unnest(p.proargnames, p.proallargtypes, p.proargmodes) as a(name, type, mode)
             where p.oid in ('onceboard.claim'::regproc) and a.mode = 'i'
             union select substr(a.name, 3), format_type(a.type, null) from pg_proc p,
               unnest(p.proargnames, p.proargtypes::oid[]) as a(name, type) where p.oid = 'onceboard.complete'::regproc`,
    });
    const types: Record<string, string> = { "timestamp with time zone": "timestamptz" };
    const differing = rows.filter(({ name, type }) => (ARGUMENT_TYPES[name] ?? "text") !== (types[type] ?? type));
    expect(rows.length).toBeGreaterThan(30);
    expect(differing).toEqual([]);
  });
});
