import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOperator } from "@/auth/operator-session";
import { upsertOperator } from "@/auth/operators";
import { createAuth, type Auth } from "@/auth/sessions";
import type { Role } from "@/domain/idempotency/states";
import type { EngineContext } from "@/engine/context";
import { createEngineTestEnvironment, operator, type EngineTestEnvironment } from "@/engine/testing/environment";
import { changeOperatorRole } from "./change-role";
import {
  endOwnSessions,
  endSessionsOf,
  inviteOperator,
  letIn,
  renewInvitation,
  resetTwoFactor,
  shutOut,
} from "./people-actions";

const PUBLIC_URL = "https://ops.example.com";
const PASSWORD = "correct horse battery";
let env: EngineTestEnvironment;
let auth: Auth;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  auth = createAuth({ db: env.owner, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
  // So that nobody here is the last one.
  await person("admin");
});
afterAll(() => env.close());

const admin = (): EngineContext => env.context({ actor: operator("admin") });
const click = () => ({ idempotencyKey: randomUUID(), receivedAt: 0, reason: "said so in the meeting" });
const invited = (role: Role) => ({ email: `${randomUUID()}@example.com`, name: "New One", role });

function post(path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", origin: PUBLIC_URL };
  const request = new Request(`${PUBLIC_URL}/api/auth/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return auth.handler(request, `192.0.2.${String(Math.floor(Math.random() * 200))}`);
}
async function signIn(email: string, password = PASSWORD): Promise<Headers> {
  const answer = await post("sign-in/email", { email, password });
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return new Headers({ cookie: cookie.join("; ") });
}
const whoIs = (cookie: Headers) => readOperator(auth, cookie);
/** What signing in is answered with: nothing more, or that a code is to follow. */
const answerTo = async (email: string, password = PASSWORD) =>
  await (await post("sign-in/email", { email, password })).text();
const NOTHING_MORE = "";
const A_CODE = '{"next":"code"}';

async function person(role: Role): Promise<{ readonly id: string; readonly email: string }> {
  const email = `${randomUUID()}@example.com`;
  const { id } = await upsertOperator(env.owner, auth, { email, password: PASSWORD, role });
  return { id, email };
}
const withFactor = async ({ id }: { readonly id: string }) => {
  await env.rows("update onceboard.operators set two_factor_enabled = true where id = $1", id);
  await env.rows(
    "insert into onceboard.two_factors (id, user_id, secret, backup_codes) values (gen_random_uuid(), $1, 's', 'c')",
    id,
  );
};
const tokenOf = (link: string | undefined): string => (link ?? "").split("#")[1] ?? "";

describe("ACCESS-9 a link to choose a password", () => {
  it("leaves everything as it is until it is used; then sessions end, and a second factor stays on", async () => {
    const one = await person("viewer");
    const open = await signIn(one.email);
    await withFactor(one);
    const { link } = await renewInvitation(admin(), PUBLIC_URL, click(), one.id);
    expect(await answerTo(one.email)).toBe(A_CODE);
    expect(await whoIs(open)).toMatchObject({ id: one.id });
    await post("join", { token: tokenOf(link), password: "another password" });
    expect(await whoIs(open)).toBeUndefined();
    expect(await answerTo(one.email, "another password")).toBe(A_CODE);
    await expect(answerTo(one.email)).rejects.toMatchObject({ code: "auth.sign_in_failed" });
  });

  it("opens for 72 hours, adds the person in the role that was chosen, and is mailed to nobody", async () => {
    const wanted = invited("approver");
    const { link } = await inviteOperator(admin(), PUBLIC_URL, click(), wanted);
    const [row] = await env.rows<{ hours: number }>(
      "select round(extract(epoch from expires_at - clock_timestamp()) / 3600)::int as hours from onceboard.verifications where id like 'invitation:' || $1",
      tokenOf(link).split(".")[0],
    );
    expect(row?.hours).toBe(72);
    expect(await env.rows("select 1 from onceboard.outbox_messages")).toEqual([]);
    await post("join", { token: tokenOf(link), password: PASSWORD });
    expect(await whoIs(await signIn(wanted.email))).toMatchObject({ email: wanted.email, role: "approver" });
  });
});

describe("ACCESS-7 what is decided about a person leaves the rest", () => {
  it("a changed role acts on their next request, and they stay signed in", async () => {
    const one = await person("admin");
    const cookie = await signIn(one.email);
    await changeOperatorRole(admin(), click(), one.id, { role: "viewer" });
    expect(await whoIs(cookie)).toMatchObject({ id: one.id, role: "viewer" });
  });

  it("who is disabled keeps their name in the audit, and has no session once enabled again", async () => {
    const one = await person("admin");
    const cookie = await signIn(one.email);
    const seen = await whoIs(cookie);
    const other = await person("viewer");
    const actor = { ...operator("admin", one.id), name: seen?.name ?? "?" };
    await changeOperatorRole(env.context({ actor }), click(), other.id, { role: "auditor" });
    await shutOut(admin(), click(), one.id);
    expect(
      await env.rows(
        "select actor_name from onceboard.audit_entries where actor_id = $1 and action = 'operators.change_role'",
        one.id,
      ),
    ).toEqual([{ actor_name: seen?.name }]);
    await letIn(admin(), click(), one.id);
    expect(await whoIs(cookie)).toBeUndefined();
    expect(await env.rows("select 1 from onceboard.sessions where user_id = $1", one.id)).toEqual([]);
  });

  it("whose second factor is reset signs in by the password alone, after their sessions ended", async () => {
    const one = await person("operator");
    const cookie = await signIn(one.email);
    await withFactor(one);
    expect(await answerTo(one.email)).toBe(A_CODE);
    await resetTwoFactor(admin(), click(), one.id);
    expect(await whoIs(cookie)).toBeUndefined();
    expect(await answerTo(one.email)).toBe(NOTHING_MORE);
  });

  it("whose sessions end signs in as before, in the same role", async () => {
    const one = await person("approver");
    const cookie = await signIn(one.email);
    await endSessionsOf(admin(), click(), one.id, undefined);
    expect(await whoIs(cookie)).toBeUndefined();
    expect(await whoIs(await signIn(one.email))).toMatchObject({ role: "approver" });
  });

  it("own sessions end but for the one that asks, and the password stays", async () => {
    const one = await person("viewer");
    const [here, there] = [await signIn(one.email), await signIn(one.email)];
    const asking = await whoIs(here);
    const ctx = env.context({ actor: operator("viewer", one.id) });
    await endOwnSessions(ctx, click(), asking?.sessionId ?? "?", undefined);
    expect([await whoIs(here), await whoIs(there)]).toMatchObject([{ id: one.id }, undefined]);
    expect(await answerTo(one.email)).toBe(NOTHING_MORE);
  });
});
