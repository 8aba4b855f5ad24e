import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "@/domain/idempotency/states";
import { engineContext } from "@/engine/context";
import { runPlan } from "@/console/plans/run-plan";
import { openHost, type TestHost } from "../testing/host";
import { signedIn } from "@/http/testing/signed-in";
import { openTill, type Till } from "../testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

const reason = "the handler is mended";

let host: TestHost;
let admin: Till;
let other: Till;
let caller: Till;
beforeAll(async () => {
  host = await openHost("hono");
  admin = await openTill(host, ["admin"]);
  other = await openTill(host, ["admin"], host.otherTenant);
  caller = await openTill(host);
});
afterAll(() => host.close());
beforeEach(async () => {
  // Earlier tests' plans do not count as plans of the last hour.
  await host.rows("update onceboard.plans set state = 'aborted', started_at = null");
  await host.rows(
    "update onceboard.dead_letters set settled_at = now(), settled_by = 'earlier', settlement = 'requeued' where settled_at is null",
  );
});

interface DeadLetterAnswer {
  readonly id: string;
  readonly message: string;
}

/** Dead messages of the inbox with their dead letters. */
async function dead(count: number, place = "ledger"): Promise<DeadLetterAnswer[]> {
  return host.rows<DeadLetterAnswer>(
    `with messages as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at,
         attempts_started, attempts_finished, last_error_code)
       select $1, gen_random_uuid(), $2, 's', gen_random_uuid()::text, 'payment.succeeded', '{}', '\\x00', 'dead', now(), 5, 5, 'broke'
       from generate_series(1, $3::int) returning id)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1, gen_random_uuid(), 'inbox', m.id, $2, 'payment.succeeded', 'broke:1', 'broke', 'it broke', 5, clock_timestamp() from messages m
     returning id, message_row_id as message`,
    host.tenant,
    place,
    count,
  );
}

const make = (body: Record<string, unknown>, key?: string | null): Promise<CheckedAnswer> =>
  admin.post("/admin/plans", { kind: "requeue_dead_letters", reason, ...body }, key === undefined ? {} : { key });
const idOf = (answer: CheckedAnswer): string =>
  String((answer.json?.["after"] as { planId?: string } | undefined)?.planId);
const read = async (id: string): Promise<Record<string, unknown>> => (await admin.get(`/admin/plans/${id}`)).json ?? {};
const state = (message: string) =>
  host
    .rows("select state from onceboard.inbox_messages where id = $1", message)
    .then(([row]) => (row as { state: string }).state);

/** The worker's turns until nothing is left to run; canaries have come through. */
async function work(): Promise<void> {
  if (host.deps === undefined) throw new Error("in process only");
  await host.rows("update onceboard.plans set canary = 'true' where canary = 'due'");
  const actor = { kind: "system", id: "plans", name: "plans" } as const;
  const ctx = engineContext(host.deps.engine, { tenantId: host.tenant, actor, requestId: "r" });
  while ((await runPlan(ctx)).plans > 0)
    await host.rows("update onceboard.plans set locked_until = null where owner is null");
}

/** A person of a role, signed in: what the console sends. */
async function person(role: Role): Promise<(method: string, path: string, body?: unknown) => Promise<CheckedAnswer>> {
  const cookie = await signedIn(host, role);
  return (method, path, body) =>
    host.call({
      method,
      path: `/api/v1/admin${path}${path.includes("?") ? "&" : "?"}tenant=${host.tenant}`,
      headers: [
        ["cookie", cookie],
        ["content-type", "application/json"],
        ["origin", host.url],
        ["idempotency-key", randomUUID()],
      ],
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

describe("PLAN-1 plans over HTTP", () => {
  it("freezes a filter, a group or named rows, and answers where the plan is", async () => {
    const deadLetters = await dead(3, "three-ways");
    const filter = await make({ filter: { place: "three-ways", error: "broke" } });
    expect(filter.status).toBe(200);
    expect(filter.json).toMatchObject({
      changed: true,
      affected: 3,
      href: `/plans/${idOf(filter)}`,
      message: "3 frozen, 3 would act.",
    });
    const group = await make({ group: { side: "inbox", place: "three-ways", fingerprint: "broke:1" } });
    expect(await read(idOf(group))).toMatchObject({ total: 3, scope: "side inbox, place three-ways, cause broke:1" });
    const ids = await make({ ids: [deadLetters[0]?.id, deadLetters[1]?.id] });
    expect(await read(idOf(ids))).toMatchObject({
      total: 2,
      state: "ready",
      scope: "2 selected rows",
      verdicts: [{ verdict: "safe", acts: true, count: 2 }],
      actions: { start: { allowed: true }, rerun: { allowed: false, whyNot: "It has not ended." } },
    });
    expect((await admin.get("/admin/plans?state=ready")).json).toMatchObject({ list: { kind: "page" } });
  });

  it("ACTION-1 a double click makes one plan, and says that it was the first click's", async () => {
    await dead(1, "double");
    const key = randomUUID();
    const first = await make({ filter: { place: "double" } }, key);
    const second = await make({ filter: { place: "double" } }, key);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.text).toBe(first.text);
    expect(await host.rows("select 1 from onceboard.plans where filter ->> 'place' = 'double'")).toHaveLength(1);
    expect((await make({ filter: { place: "triple" } }, key)).json).toMatchObject({
      code: "idempotency.payload_mismatch",
    });
    const start = (path: string, own: string) => admin.post(`/admin/plans/${idOf(first)}${path}`, {}, { key: own });
    const own = randomUUID();
    expect((await start("/start", own)).json).toMatchObject({ after: { state: "running" }, message: "Started." });
    expect((await start("/start", own)).headers["idempotent-replayed"]).toBe("true");
    expect((await start("/start", randomUUID())).json).toMatchObject({
      status: 409,
      code: "plan.state",
      detail: expect.stringContaining("It is running.") as unknown,
    });
    await work();
    expect(await read(idOf(first))).toMatchObject({ state: "done", counts: { done: 1 } });
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ["nothing that says what", {}, 422, "validation.body"],
    ["two ways at once", { filter: {}, ids: [randomUUID()] }, 422, "validation.body"],
    ["an unknown member of the filter", { filter: { colour: "red" } }, 422, "validation.body"],
    ["a side that there is not", { filter: { side: "both" } }, 400, "validation.filter"],
    ["a time that is none", { filter: { from: "yesterday" } }, 400, "validation.filter"],
    ["an id that is none", { ids: ["x"] }, 422, "validation.body"],
    ["no id", { ids: [] }, 422, "validation.body"],
    ["more ids than may be named", { ids: Array.from({ length: 501 }, () => randomUUID()) }, 422, "validation.body"],
    ["another kind", { kind: "delete_everything", filter: {} }, 422, "validation.body"],
    ["no reason", { filter: {}, reason: " " }, 422, "validation.body"],
    ["what matches nothing", { filter: { place: "nowhere" } }, 422, "plan.nothing"],
    ["ids of nothing", { ids: [randomUUID()] }, 422, "plan.nothing"],
  ])("refuses %s", async (_what, body, status, code) => {
    const before = await host.rows("select count(*)::int as n from onceboard.plans");
    expect((await make(body)).json).toMatchObject({ status, code });
    expect(await host.rows("select count(*)::int as n from onceboard.plans")).toEqual(before);
  });

  it("needs a key, and knows no plan of another tenant", async () => {
    await dead(1, "mine");
    expect((await make({ filter: { place: "mine" } }, null)).json).toMatchObject({ code: "idempotency.key_missing" });
    const id = idOf(await make({ filter: { place: "mine" } }));
    for (const path of ["start", "abort", "rerun"]) {
      expect((await other.post(`/admin/plans/${id}/${path}`, { reason })).json, path).toMatchObject({
        code: "plan.not_found",
      });
      expect((await admin.post(`/admin/plans/nothing/${path}`, { reason })).status, path).toBe(404);
    }
    expect((await other.post(`/admin/plans/${id}/decide`, { decision: "approve" })).json).toMatchObject({
      code: "auth.person_only",
    });
    expect((await other.get(`/admin/plans/${id}`)).status).toBe(404);
    expect((await admin.get(`/admin/plans/${id}?show=sideways`)).json).toMatchObject({ code: "validation.filter" });
    expect((await admin.get("/admin/plans?state=lost")).json).toMatchObject({ code: "validation.filter" });
  });

  it("ACCESS-2 roles: a viewer looks, an operator plans and starts, an approver agrees and starts nothing else, a payment key does nothing", async () => {
    const viewer = await person("viewer");
    const operator = await person("operator");
    const ines = await person("admin");
    const max = await person("approver");
    await dead(100, "roles");
    const body = { kind: "requeue_dead_letters", filter: { place: "roles" }, reason };
    expect((await caller.post("/admin/plans", body)).status).toBe(403);
    expect((await viewer("POST", "/plans", body)).json).toMatchObject({ status: 403, code: "auth.forbidden" });
    const made = await operator("POST", "/plans", body);
    const id = idOf(made);
    expect(made.json).toMatchObject({ after: { state: "awaiting_approval", acting: 100 } });
    expect((await viewer("GET", `/plans/${id}`)).json).toMatchObject({
      state: "awaiting_approval",
      actions: {
        start: { allowed: false },
        abort: { allowed: false, whyNot: "You can look, not act. Aborting a plan needs the role operator." },
      },
    });
    for (const path of ["start", "abort", "rerun", "decide"]) {
      const sent = path === "decide" ? { decision: "approve" } : { reason };
      expect((await viewer("POST", `/plans/${id}/${path}`, sent)).status, path).toBe(403);
    }
    expect((await operator("POST", `/plans/${id}/start`, {})).json).toMatchObject({ code: "plan.state" });
    expect((await operator("POST", `/plans/${id}/decide`, { decision: "approve" })).status).toBe(403);
    expect((await ines("POST", `/plans/${id}/decide`, { decision: "reject" })).json).toMatchObject({
      code: "validation.body",
    });
    for (const path of ["start", "abort", "rerun"]) {
      expect((await max("POST", `/plans/${id}/${path}`, { reason })).status, path).toBe(403);
    }
    expect((await max("POST", "/plans", body)).status).toBe(403);
    // Whoever asked may hold a key of scope admin too, or make one.
    expect((await admin.post(`/admin/plans/${id}/decide`, { decision: "approve", start: true })).json).toMatchObject({
      status: 403,
      code: "auth.person_only",
    });
    expect((await max("POST", `/plans/${id}/decide`, { decision: "approve", start: true })).json).toMatchObject({
      after: { state: "running" },
      affected: 100,
    });
    await work();
    expect((await viewer("GET", `/plans/${id}?show=done`)).json).toMatchObject({
      state: "done",
      counts: { done: 100 },
    });
    await dead(100, "roles");
    const own = idOf(await ines("POST", "/plans", body));
    expect((await ines("POST", `/plans/${own}/decide`, { decision: "approve" })).json).toMatchObject({
      status: 403,
      code: "plan.own_request",
    });
    expect((await ines("POST", `/plans/${own}/abort`, { reason })).json).toMatchObject({
      after: { state: "aborted", untouched: 100 },
    });
    expect((await operator("POST", `/plans/${own}/rerun`, { reason })).json).toMatchObject({ after: { total: 100 } });
  });
});

describe("MESSAGE-4 discard over HTTP", () => {
  it("drops a message for good, once, with a reason, and keeps its row", async () => {
    const [letter] = await dead(1, "junk");
    const path = `/admin/inbox/${String(letter?.message)}/discard`;
    expect((await admin.post(path, {})).status).toBe(422);
    expect((await caller.post(path, { reason })).status).toBe(403);
    const viewer = await person("viewer");
    expect((await viewer("POST", `/inbox/${String(letter?.message)}/discard`, { reason })).status).toBe(403);
    expect(await state(String(letter?.message))).toBe("dead");
    const key = randomUUID();
    const first = await admin.post(path, { reason }, { key });
    expect(first.json).toMatchObject({
      action: "inbox.discard",
      changed: true,
      before: { state: "dead" },
      after: { state: "discarded" },
    });
    expect((await admin.post(path, { reason }, { key })).headers["idempotent-replayed"]).toBe("true");
    expect((await admin.post(path, { reason })).json).toMatchObject({
      changed: false,
      skipped: [{ why: "It was discarded: it is no longer handled." }],
    });
    expect((await admin.post(`/admin/inbox/${String(letter?.message)}/requeue`, { reason })).json).toMatchObject({
      changed: false,
    });
    expect(await state(String(letter?.message))).toBe("discarded");
    expect(
      await host.rows(
        "select settlement, reason from onceboard.dead_letters where message_row_id = $1",
        letter?.message,
      ),
    ).toEqual([{ settlement: "discarded", reason }]);
    for (const side of ["inbox", "outbox"])
      expect((await admin.post(`/admin/${side}/${randomUUID()}/discard`, { reason })).json).toMatchObject({
        code: `${side}.not_found`,
      });
  });
});

describe("MESSAGE-5 the list of dead letters over HTTP", () => {
  it("groups, counts verdicts and pages rows, by every filter", async () => {
    const deadLetters = await dead(60, "listed");
    await dead(2, "beside");
    await admin.post(`/admin/inbox/${String(deadLetters[0]?.message)}/discard`, { reason });
    interface View {
      readonly open: number;
      readonly groups: readonly {
        readonly key: string;
        readonly place: string;
        readonly count: number;
        readonly settled: number;
      }[];
      readonly rows: {
        readonly rows: readonly { readonly id: string; readonly verdict: string }[];
        readonly next?: string;
      };
    }
    const list = async (query: string) => (await admin.get(`/admin/dead-letters${query}`)).json as unknown as View;
    const all = await list("");
    // The newest 50 of every cause are judged, and all of the one that is opened.
    expect(all).toMatchObject({ open: 61, verdicts: { safe: 52 }, judged: 52, causes: 2, moreGroups: false });
    expect(all.groups.map(({ place, count }) => [place, count])).toEqual([
      ["beside", 2],
      ["listed", 59],
    ]);
    expect((await list("?sort=count")).groups[0]).toMatchObject({ place: "listed", count: 59, settled: 1 });
    const one = await list(`?open=${encodeURIComponent(all.groups[1]?.key ?? "")}`);
    expect(one.rows.rows).toHaveLength(50);
    expect(one).toMatchObject({ judged: 61, group: { place: "listed", judged: 59, verdicts: { safe: 59 } } });
    const rest = await list(`?open=${encodeURIComponent(all.groups[1]?.key ?? "")}&cursor=${one.rows.next ?? ""}`);
    expect(rest.rows.rows).toHaveLength(9);
    expect(new Set([...one.rows.rows, ...rest.rows.rows].map(({ id }) => id)).size).toBe(59);
    for (const query of [
      "?place=beside",
      "?place=beside&side=inbox&type=payment.succeeded&error=broke",
      "?from=2020-01-01&place=beside",
    ])
      expect((await list(query)).groups, query).toMatchObject([{ place: "beside", count: 2 }]);
    for (const query of ["?type=other", "?to=2020-01-01", `?operationId=${randomUUID()}`, "?side=outbox"])
      expect((await list(query)).groups, query).toEqual([]);
    expect((await list("?settled=true&place=listed")).rows.rows).toHaveLength(50);
    expect((await admin.get("/admin/dead-letters?colour=red")).json).toMatchObject({ code: "validation.filter" });
  });
});

describe("PLAN-10 a dry run that asks, over HTTP", () => {
  it("freezes with nothing asked yet, asks again only where it can, and is refused to a viewer", async () => {
    const [row] = await host.rows<{ id: string }>(
      `with made as (
         insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_by)
         values ($1, gen_random_uuid(), 'reconcile_operations', 'ready', '{"ids": 1}', 'back', 1, 'client:nobody') returning tenant_id, id)
       insert into onceboard.plan_items (tenant_id, plan_id, position, target_id, label, verdict, verdict_reason)
       select tenant_id, id, 1, gen_random_uuid(), '{}', 'ask', 'sent' from made returning plan_id as id`,
      host.tenant,
    );
    const id = row?.id ?? "";
    const ask = () => admin.post(`/admin/plans/${id}/ask`, {});
    const first = await ask();
    expect(first.json).toMatchObject({ message: "Asking the provider.", after: { lookUps: "asking" } });
    expect(await read(id)).toMatchObject({
      asking: { state: "asking", answers: [{ answer: "waiting", count: 1 }] },
      actions: { ask: { allowed: false, whyNot: "The provider is being asked now." } },
    });
    await host.rows("update onceboard.plan_items set look_up = 'fails' where plan_id = $1", id);
    await host.rows("update onceboard.plans set look_ups = 'asked' where id = $1", id);
    const again = await ask();
    expect(again.status).toBe(409);
    expect(again.json).toMatchObject({ code: "plan.state", detail: "Nothing was changed. Every row has its answer." });
    const viewer = await person("viewer");
    expect((await viewer("POST", `/plans/${id}/ask`, {})).status).toBe(403);
    await dead(1, "asks-nobody");
    const other = idOf(await make({ filter: { place: "asks-nobody" } }));
    expect((await admin.post(`/admin/plans/${other}/ask`, {})).json).toMatchObject({
      detail: "Nothing was changed. This kind of plan asks no provider.",
    });
    expect((await admin.post(`/admin/plans/${randomUUID()}/ask`, {})).status).toBe(404);
  });
});
