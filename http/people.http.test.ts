import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { upsertOperator } from "@/auth/operators";
import { readOperator } from "@/auth/operator-session";
import { createAuth } from "@/auth/sessions";
import type { Role } from "@/domain/idempotency/states";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import type { CheckedAnswer } from "@/http/testing/contract";

const PASSWORD = "correct horse battery";

describe.each(HOSTS)("ACCESS-7 ACCESS-9 ACCESS-10 people and their access, at %s", (name) => {
  let host: TestHost;
  let admin: Person;
  let otherAdmin: Person;

  beforeAll(async () => {
    host = await openHost(name);
    await host.key(["admin"]);
    admin = await person("admin");
    otherAdmin = await person("admin");
  });
  afterAll(() => host.close());

  interface Person {
    readonly id: string;
    readonly email: string;
    readonly cookie: string;
    post(path: string, body: unknown, key?: string): Promise<CheckedAnswer>;
    get(path: string): Promise<CheckedAnswer>;
  }

  function signIn(email: string, password = PASSWORD): Promise<CheckedAnswer> {
    return open("/api/auth/sign-in/email", { email, password });
  }

  function open(path: string, body: unknown, cookie = ""): Promise<CheckedAnswer> {
    return host.call({
      method: "POST",
      path,
      headers: [
        ["content-type", "application/json"],
        ["origin", host.url],
        ["user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
        ["cookie", cookie],
      ],
      body: JSON.stringify(body),
    });
  }

  const cookieOf = (answer: CheckedAnswer): string =>
    (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");

  async function person(role: Role): Promise<Person> {
    const auth = createAuth({ db: host.db, secret: host.secret, publicUrl: "http://localhost:3000" });
    const email = `${role}-${randomUUID()}@example.com`;
    const { id } = await upsertOperator(host.db, auth, { email, password: PASSWORD, role });
    return session(id, email);
  }

  async function session(id: string, email: string): Promise<Person> {
    const cookie = cookieOf(await signIn(email));
    const post = (path: string, body: unknown, key: string = randomUUID()): Promise<CheckedAnswer> =>
      host.call({
        method: "POST",
        path: `/api/v1/admin/${path}?tenant=${host.tenant}`,
        headers: [
          ["cookie", cookie],
          ["origin", host.url],
          ["content-type", "application/json"],
          ["idempotency-key", key],
        ],
        body: JSON.stringify(body),
      });
    const get = (path: string): Promise<CheckedAnswer> =>
      host.call({ path: `/api/v1/admin/${path}?tenant=${host.tenant}`, headers: [["cookie", cookie]] });
    return { id, email, cookie, post, get };
  }

  const backdate = (id: string) =>
    host.rows(
      "update onceboard.sessions set confirmed_at = clock_timestamp() - interval '11 minutes' where user_id = $1",
      id,
    );
  /** What the access log has of a person, but for their coming and going and for the command line. */
  const audited = (id: string) =>
    host.rows<{ action: string; before: unknown; after: unknown; reason: string | null; actor_id: string }>(
      `select action, before, after, reason, actor_id from onceboard.audit_entries
        where tenant_id = '@access' and subject_id = $1 and actor_kind = 'operator'
          and action not in ('sessions.sign_in', 'sessions.sign_out', 'operators.join') order by sequence`,
      id,
    );
  const why = { reason: "said so in the meeting" };

  it("invites somebody by a link that opens once and is told once", async () => {
    const key = randomUUID();
    const invited = { email: `New-${randomUUID()}@Example.com`, name: "New One", role: "approver", ...why };
    const first = await admin.post("people", invited, key);
    expect(first.status).toBe(200);
    const link = String(first.json?.["link"]);
    expect(link).toMatch(/\/join#[0-9a-f-]{36}\.[A-Za-z0-9_-]{43}$/);
    const again = await admin.post("people", invited, key);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.text).not.toContain("#");
    const token = link.split("#")[1] ?? "";
    const secret = token.split(".")[1] ?? "?";
    const kept = await host.rows<{ row: string }>(
      `select v::text as row from onceboard.verifications v
       union all select a::text from onceboard.audit_entries a
       union all select r::text from onceboard.idempotency_requests r`,
    );
    expect(kept.some(({ row }) => row.includes(secret))).toBe(false);
    expect((await signIn(invited.email)).json?.["code"]).toBe("auth.sign_in_failed");
    expect((await open("/api/auth/join", { token, password: "short" })).json?.["code"]).toBe("validation.operator");
    const common = await open("/api/auth/join", { token, password: "Qwertyuiop" });
    expect(common.json).toMatchObject({
      code: "validation.operator",
      detail: "This password is one of the most common ones, which are guessed first. Choose another.",
    });
    const check = (using: string) => open("/api/auth/join/check", { token: using });
    // A look uses nothing up.
    expect([(await check(token)).status, (await check(token)).status]).toEqual([204, 204]);
    const wrong = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    expect((await open("/api/auth/join", { token: wrong, password: PASSWORD })).json?.["code"]).toBe("auth.link_over");
    expect((await check(wrong)).json).toMatchObject({ status: 403, code: "auth.link_over" });
    expect((await check("no link at all")).json?.["code"]).toBe("auth.link_over");
    const joined = await open("/api/auth/join", { token, password: PASSWORD });
    expect(joined.json).toEqual({ email: invited.email.toLowerCase() });
    expect((await signIn(invited.email)).status).toBe(204);
    const twice = await open("/api/auth/join", { token, password: "another password" });
    expect(twice.json).toMatchObject({ status: 403, code: "auth.link_over" });
    expect((await check(token)).json?.["code"]).toBe("auth.link_over");
    const [id = ""] = token.split(".");
    expect(await audited(id)).toMatchObject([
      { action: "operators.invite", actor_id: admin.id, reason: why.reason, before: {}, after: { role: "approver" } },
    ]);
    expect((await admin.post("people", invited)).json?.["code"]).toBe("operator.exists");
  });

  it("a link that is older than three days, or replaced, or of somebody who was disabled, opens nothing", async () => {
    const one = await person("viewer");
    const old = String((await admin.post(`people/${one.id}/link`, why)).json?.["link"]).split("#")[1];
    const token = String((await admin.post(`people/${one.id}/link`, why)).json?.["link"]).split("#")[1];
    const join = (using: string | undefined) => open("/api/auth/join", { token: using, password: "another password" });
    expect((await join(old)).json?.["code"]).toBe("auth.link_over");
    const check = async () => (await open("/api/auth/join/check", { token })).status;
    expect(await check()).toBe(204);
    const [kept] = await host.rows<{ hours: number }>(
      "select extract(epoch from expires_at - clock_timestamp())::float / 3600 as hours from onceboard.verifications where id = $1",
      `invitation:${one.id}`,
    );
    expect(kept?.hours).toBeCloseTo(72, 0);
    await host.rows(
      "update onceboard.verifications set expires_at = clock_timestamp() - interval '1 second' where id = $1",
      `invitation:${one.id}`,
    );
    expect((await join(token)).json?.["code"]).toBe("auth.link_over");
    expect((await signIn(one.email)).status).toBe(204);
    const last = String((await admin.post(`people/${one.id}/link`, why)).json?.["link"]).split("#")[1];
    await admin.post(`people/${one.id}/disable`, why);
    expect((await join(last)).json?.["code"]).toBe("auth.link_over");
    await admin.post(`people/${one.id}/enable`, why);
    expect((await join(last)).json?.["code"]).toBe("auth.link_over");
  });

  it("changes a role, shuts out and lets in again, each from the next request on, with before and after", async () => {
    const one = await person("viewer");
    expect((await one.get("people")).json?.["code"]).toBe("auth.forbidden");
    expect((await admin.post(`people/${one.id}/role`, { role: "admin", ...why })).json?.["changed"]).toBe(true);
    expect((await one.get("people")).status).toBe(200);
    await admin.post(`people/${one.id}/role`, { role: "operator", ...why });
    expect((await one.get("people")).json?.["code"]).toBe("auth.forbidden");
    await admin.post(`people/${one.id}/disable`, why);
    expect((await one.get("operations")).status).toBe(401);
    expect((await signIn(one.email)).status).toBe(401);
    const twice = await admin.post(`people/${one.id}/disable`, why);
    expect(twice.json).toMatchObject({ changed: false, skipped: [{ why: "They are disabled already." }] });
    await admin.post(`people/${one.id}/enable`, why);
    expect((await signIn(one.email)).status).toBe(204);
    expect((await audited(one.id)).slice(0, 3)).toMatchObject([
      { action: "operators.change_role", before: { role: "viewer" }, after: { role: "admin" } },
      { action: "operators.change_role", before: { role: "admin" }, after: { role: "operator" } },
      { action: "operators.disable", before: { disabled: false }, after: { disabled: true } },
    ]);
  });

  // A shared server has admins of other suites.
  it.skipIf(name === "next")("nobody changes their own access, and one admin always stays", async () => {
    for (const [path, body] of [
      ["role", { role: "viewer", ...why }],
      ["disable", why],
      ["reset-two-factor", why],
      ["end-sessions", why],
      ["link", why],
    ] as const) {
      expect((await admin.post(`people/${admin.id}/${path}`, body)).json?.["code"]).toBe("operator.self");
    }
    // Everybody else who is an admin leaves, then the last two take each other's role at the same moment.
    await host.rows("update onceboard.operators set role = 'viewer' where role = 'admin' and id <> all($1)", [
      admin.id,
      otherAdmin.id,
    ]);
    const holder = await host.db.pool.connect();
    await holder.query({ text: "begin" });
    await holder.query({ text: "select 1 from onceboard.operators where role = 'admin' for update" });
    const clicks = [
      admin.post(`people/${otherAdmin.id}/role`, { role: "viewer", ...why }),
      otherAdmin.post(`people/${admin.id}/role`, { role: "viewer", ...why }),
    ];
    const waiting = () =>
      host.rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    await expect.poll(async () => (await waiting()).length).toBe(2);
    await holder.query({ text: "commit" });
    holder.release();
    const answers = await Promise.all(clicks);
    expect(answers.map(({ json }) => json?.["code"])).toContain("operator.last_admin");
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [left] = await host.rows<{ count: number }>(
      "select count(*)::int as count from onceboard.operators where role = 'admin' and disabled_at is null",
    );
    expect(left?.count).toBe(1);
    await host.rows("update onceboard.operators set role = 'admin' where id = any($1)", [admin.id, otherAdmin.id]);
  });

  it("keeps the zone of a person for every browser of theirs, and takes no zone that there is not", async () => {
    const here = await person("viewer");
    const there = await session(here.id, here.email);
    const auth = createAuth({ db: host.db, secret: host.secret, publicUrl: "http://localhost:3000" });
    const zoneOf = async (cookie: string) => (await readOperator(auth, new Headers({ cookie })))?.zone;
    expect(await zoneOf(there.cookie)).toBe("utc");
    expect((await here.post("time-zone", { zone: "Europe/Berlin" })).json).toMatchObject({ changed: true });
    expect(await zoneOf(there.cookie)).toBe("Europe/Berlin");
    expect((await here.post("time-zone", { zone: "Europe/Berlin" })).json?.["changed"]).toBe(false);
    for (const zone of ["Europe/Nowhere", "EST5EDT", "", "a/b", `x/${"y".repeat(70)}`])
      expect((await here.post("time-zone", { zone })).status).toBe(422);
    expect((await there.post("time-zone", { zone: "local" })).json?.["changed"]).toBe(true);
    expect(await zoneOf(here.cookie)).toBe("local");
  });

  it("shows sessions, ends one and ends all others; the next request is nobody's", async () => {
    const here = await person("viewer");
    const there = await session(here.id, here.email);
    const third = await session(here.id, here.email);
    const list = (await here.get("sessions")).json?.["sessions"] as { id: string; own: boolean; device: string }[];
    expect(list).toHaveLength(3);
    expect(list.filter(({ own }) => own)).toHaveLength(1);
    expect(list[0]?.device).toBe("Firefox on Linux");
    const own = list.find((row) => row.own)?.id;
    expect((await here.post("sessions/end", { session: own })).json?.["code"]).toBe("session.own");
    const theirs = (await there.get("sessions")).json?.["sessions"] as { id: string; own: boolean }[];
    const ended = await here.post("sessions/end", { session: theirs.find((row) => row.own)?.id });
    expect(ended.json).toMatchObject({ changed: true, affected: 1 });
    expect((await there.get("sessions")).status).toBe(401);
    expect((await third.get("sessions")).status).toBe(200);
    const foreign = (await admin.get("sessions")).json?.["sessions"] as { id: string }[];
    expect((await here.post("sessions/end", { session: foreign[0]?.id })).json?.["changed"]).toBe(false);
    expect((await admin.get("sessions")).status).toBe(200);
    expect((await here.post("sessions/end", {})).json).toMatchObject({ affected: 1 });
    expect((await third.get("sessions")).status).toBe(401);
    expect((await here.get("sessions")).status).toBe(200);
    await admin.post(`people/${here.id}/end-sessions`, why);
    expect((await here.get("sessions")).status).toBe(401);
  });

  it("asks for proof again after ten minutes, and does the same click once after it", async () => {
    const one = await person("viewer");
    const key = randomUUID();
    const click = () => admin.post(`people/${one.id}/role`, { role: "auditor", ...why }, key);
    await backdate(admin.id);
    const asked = await click();
    expect(asked.json).toMatchObject({ status: 403, code: "auth.step_up_required", confirmBy: ["password"] });
    expect(await audited(one.id)).toEqual([]);
    const wrong = await admin.post("step-up", { password: "wrong password" });
    expect(wrong.json).toMatchObject({ status: 403, code: "auth.confirmation_failed" });
    expect((await click()).json?.["code"]).toBe("auth.step_up_required");
    expect((await admin.post("step-up", { password: PASSWORD })).status).toBe(200);
    expect((await click()).json?.["changed"]).toBe(true);
    expect((await click()).headers["idempotent-replayed"]).toBe("true");
    expect(await audited(one.id)).toHaveLength(1);
  });

  it("asks for it before a resolve, a purge, a retention run, where events go, a discard, a look into a body, the audit as a file and a secret that opens a door, not before a requeue", async () => {
    await backdate(admin.id);
    const id = randomUUID();
    const resolve = { decision: "failed", ...why };
    for (const [path, body, code] of [
      [`operations/${id}/resolve`, resolve, "auth.step_up_required"],
      [`operations/${id}/purge-body`, why, "auth.step_up_required"],
      ["retention/runs", why, "auth.step_up_required"],
      ["event-sources", { source: "step-up", ...why }, "auth.step_up_required"],
      ["event-sources/step-up/secrets", why, "auth.step_up_required"],
      ["webhook-endpoints", { url: "https://shop.example/", ...why }, "auth.step_up_required"],
      [`webhook-endpoints/${id}/change`, { types: [], description: "", ...why }, "auth.step_up_required"],
      [`webhook-endpoints/${id}/rotate-secret`, why, "auth.step_up_required"],
      [`webhook-endpoints/${id}/delete`, why, "auth.step_up_required"],
      ["topics/payments/route", { expectedVersion: 1, transport: "http", ...why }, "auth.step_up_required"],
      ["policies/payments.create", { expectedVersion: 0, overrides: {}, ...why }, "auth.step_up_required"],
      [`operations/${id}/reveal`, why, "auth.step_up_required"],
      [`outbox/${id}/reveal`, why, "auth.step_up_required"],
      [`outbox/${id}/discard`, why, "auth.step_up_required"],
      [`inbox/${id}/discard`, why, "auth.step_up_required"],
      [`outbox/${id}/requeue`, why, "outbox.not_found"],
    ] as const) {
      expect([path, (await admin.post(path, body)).json?.["code"]]).toEqual([path, code]);
    }
    expect((await admin.get("exports/audit")).json).toMatchObject({
      status: 403,
      ...{ code: "auth.step_up_required", confirmBy: ["password"] },
    });
    expect((await admin.get("exports/outbox")).status).toBe(200);
    const key = await host.key(["admin"]);
    const program = await host.call({
      method: "POST",
      path: `/api/v1/admin/operations/${id}/purge-body`,
      headers: [
        ["authorization", `Bearer ${key}`],
        ["content-type", "application/json"],
        ["idempotency-key", randomUUID()],
      ],
      body: JSON.stringify(why),
    });
    expect(program.json?.["code"]).toBe("operation.not_found");
    await admin.post("step-up", { password: PASSWORD });
    expect((await admin.get("exports/audit")).status).toBe(200);
  });

  it("shows the access log to admins and auditors: who came, who was refused, who changed whom", async () => {
    const [one, auditor, viewer] = [await person("viewer"), await person("auditor"), await person("viewer")];
    await signIn(one.email, "a guess");
    await admin.post(`people/${one.id}/role`, { role: "operator", ...why });
    const log = async (who: Person, more = ""): Promise<CheckedAnswer> =>
      host.call({
        path: `/api/v1/admin/audit?tenant=${host.tenant}&chain=access&subjectId=${one.id}${more}`,
        headers: [["cookie", who.cookie]],
      });
    const actions = async (who: Person, more = "") =>
      ((await log(who, more)).json?.["list"] as { rows: { action: string; subjectEmail: string }[] }).rows.map(
        ({ action, subjectEmail }) => (subjectEmail === one.email ? action : subjectEmail),
      );
    await expect
      .poll(() => actions(admin))
      .toEqual(["operators.change_role", "sessions.sign_in_refused", "sessions.sign_in", "operators.create"]);
    expect(await actions(auditor, "&action=sessions.sign_in")).toEqual(["sessions.sign_in"]);
    expect((await log(viewer)).json?.["code"]).toBe("auth.forbidden");
    expect((await log(one)).json?.["code"]).toBe("auth.forbidden");
    const [{ id } = { id: "" }] = ((await log(admin)).json?.["list"] as { rows: { id: string }[] }).rows;
    const open = (chain: string) =>
      host.call({
        path: `/api/v1/admin/audit/${id}?tenant=${host.tenant}${chain}`,
        headers: [["cookie", admin.cookie]],
      });
    expect((await open("&chain=access")).json).toMatchObject({
      before: { role: "viewer" },
      after: { role: "operator" },
    });
    expect((await open("")).status).toBe(404);
    expect((await open("&chain=all")).json?.["code"]).toBe("validation.filter");
    const file = await host.call({
      path: `/api/v1/admin/exports/audit?tenant=${host.tenant}&chain=access&subjectId=${one.id}`,
      headers: [["cookie", auditor.cookie]],
    });
    expect(file.text.trim().split("\n")).toHaveLength(5);
    expect(file.text).toContain(",sessions.sign_in_refused,");
    const verified = await host.call({
      path: `/api/v1/admin/audit/verify?tenant=${host.tenant}&chain=access`,
      headers: [["cookie", auditor.cookie]],
    });
    expect(verified.json).toMatchObject({ result: "holds" });
    expect(Number(verified.json?.["checkedTo"])).toBeGreaterThan(3);
  });

  it("lets no API key near people, sessions or proofs", async () => {
    const key = await host.key(["admin"]);
    for (const [method, path, body] of [
      ["GET", "people", undefined],
      ["GET", "sessions", undefined],
      ["GET", "audit?chain=access", undefined],
      ["GET", "audit/verify?chain=access", undefined],
      ["GET", "exports/audit?chain=access", undefined],
      ["POST", "people", { email: "k@example.com", name: "K", role: "admin", ...why }],
      ["POST", "step-up", { password: PASSWORD }],
      ["POST", "two-factor/start", { password: PASSWORD }],
    ] as const) {
      const answer = await host.call({
        method,
        path: `/api/v1/admin/${path}`,
        headers: [
          ["authorization", `Bearer ${key}`],
          ["content-type", "application/json"],
          ["idempotency-key", randomUUID()],
        ],
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect([path, answer.json?.["code"]]).toEqual([path, "auth.person_only"]);
    }
  });

  it("sets a second factor up, asks for it, and an admin takes it off; no secret is kept or logged", async () => {
    const one = await person("operator");
    const start = await one.post("two-factor/start", { password: PASSWORD });
    expect(start.headers["cache-control"]).toBe("no-store");
    const secret = String(start.json?.["secret"]);
    const code = (at: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
    // What confirms it signs nobody in: that takes the code of the next half minute. Neither is too old when one ends meanwhile.
    const on = await one.post("two-factor/confirm", { code: code(Date.now()) });
    expect(on.status).toBe(200);
    expect((await one.get("sessions")).status).toBe(401);
    const pending = await signIn(one.email);
    expect([pending.status, pending.json]).toEqual([200, { next: "code" }]);
    expect((await open("/api/auth/sign-in/code", { code: code(Date.now() + 30_000) }, cookieOf(pending))).status).toBe(
      204,
    );
    await admin.post(`people/${one.id}/reset-two-factor`, why);
    expect((await signIn(one.email)).status).toBe(204);
    const entries = await audited(one.id);
    expect(entries.map(({ action }) => action)).toEqual(["two_factor.change_own", "operators.reset_two_factor"]);
    const kept = await host.rows<{ row: string }>(
      "select a::text as row from onceboard.audit_entries a union all select r::text from onceboard.idempotency_requests r",
    );
    expect(kept.some(({ row }) => row.includes(secret))).toBe(false);
  });
});
