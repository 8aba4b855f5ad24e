import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setOperatorDisabled } from "@/db/access/operators";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import type { OidcConfig } from "@/domain/config";
import { readOperator } from "../operator-session";
import { upsertOperator } from "../operators";
import { createAuth, type Auth } from "../sessions";
import { OIDC_BEGINS_PER_ADDRESS } from "./sign-in-limit";
import { accessEntries } from "../testing/access-entries";
import { startIssuer, type Claims, type OidcIssuer } from "../testing/oidc-issuer";

const PUBLIC_URL = "http://ops.localhost:3000";
const CALLBACK = `${PUBLIC_URL}/api/auth/oauth2/callback/oidc`;
let test: TestDatabase;
let issuer: OidcIssuer;
let counter = 0;

beforeAll(async () => {
  test = await createTestDatabase();
  issuer = await startIssuer(CALLBACK, claims());
});
afterAll(async () => {
  await issuer.close();
  await test.drop();
});

function claims(more: Partial<Claims> = {}): Claims {
  counter += 1;
  const sub = `subject-${String(counter)}`;
  return { sub, email: `${sub}@example.com`, email_verified: true, name: `Person ${String(counter)}`, ...more };
}

function authWith(more: Partial<OidcConfig> = {}): Auth {
  const { issuer: address, clientId, clientSecret } = issuer;
  return createAuth({
    db: test.db,
    secret: "a secret of a test, 32 characters",
    publicUrl: PUBLIC_URL,
    oidc: {
      issuer: address,
      clientId,
      clientSecret,
      name: "Test",
      roleClaim: undefined,
      defaultRole: "viewer",
      ...more,
    },
  });
}

async function shutOut(email: string): Promise<void> {
  const { rows } = await test.db.pool.query<{ id: string }>({
    text: "select id from onceboard.operators where email = $1",
    values: [email],
  });
  await setOperatorDisabled(test.db.pool, rows[0]?.id ?? "", true);
}

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

async function begin(auth: Auth, next = "/operations?state=FAILED") {
  const request = new Request(`${PUBLIC_URL}/api/auth/sign-in/oidc`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: PUBLIC_URL },
    body: JSON.stringify({ next }),
  });
  const answer = await auth.handler(request, "192.0.2.5");
  const { url } = (await answer.json()) as { url: string };
  return { url, cookie: cookieOf(answer), lines: answer.headers.getSetCookie() };
}

function finish(auth: Auth, url: string, cookie: string): Promise<Response> {
  return auth.handler(new Request(url, { headers: { cookie } }), "192.0.2.5");
}

async function signIn(auth: Auth, person: Claims) {
  issuer.person = person;
  const { url, cookie } = await begin(auth);
  const answer = await finish(auth, await issuer.signIn(url), cookie);
  const operator = await readOperator(auth, new Headers({ cookie: cookieOf(answer) }));
  return { answer, page: await answer.text(), operator };
}

describe("ACCESS-6 signing in at an OIDC issuer", () => {
  it("goes by code, state and PKCE, and comes back to a page of ours that goes on by itself", async () => {
    const auth = authWith();
    const { url, lines } = await begin(auth);
    const asked = new URL(url).searchParams;
    expect(url.startsWith(`${issuer.issuer}/auth?`)).toBe(true);
    expect([asked.get("response_type"), asked.get("code_challenge_method")]).toEqual(["code", "S256"]);
    expect([asked.get("redirect_uri"), asked.get("scope")]).toEqual([CALLBACK, "openid email profile"]);
    expect(url).not.toContain(issuer.clientSecret);
    expect(lines.join()).toMatch(/state=.*samesite=lax/i);
    const person = claims();
    const { answer, page, operator } = await signIn(auth, person);
    expect(operator).toMatchObject({ email: person.email, name: person.name, role: "viewer", twoFactor: false });
    expect(operator?.confirmation).toEqual({ fresh: true, by: ["oidc"] });
    expect(answer.status).toBe(200);
    expect(page).toContain(`content="0;url=/operations?state=FAILED"`);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.headers.getSetCookie().join()).toMatch(/session_token=.*samesite=strict/i);
    const again = await signIn(auth, person);
    expect(again.operator?.id).toBe(operator?.id);
    const { rows } = await test.db.pool.query({
      text: "select access_token, refresh_token, id_token from onceboard.operator_accounts where provider_id = 'oidc'",
    });
    expect(rows).toEqual([{ access_token: null, refresh_token: null, id_token: null }]);
  });

  it("refuses a way back without its state, of another browser, or used before", async () => {
    const auth = authWith();
    issuer.person = claims();
    const { url, cookie } = await begin(auth);
    const back = await issuer.signIn(url);
    const forged = back.replace(/state=[^&]*/, "state=forged");
    const other = await begin(auth);
    for (const [address, jar] of [
      [forged, cookie],
      [back, ""],
      [back, other.cookie],
      [`${CALLBACK}?error=access_denied`, cookie],
    ] as const) {
      const answer = await finish(auth, address, jar);
      expect(await answer.text()).toContain("0;url=/sign-in?problem=oidc");
      expect(cookieOf(answer)).not.toMatch(/session_token=[^;]/);
    }
    const good = await begin(auth);
    const once = await issuer.signIn(good.url);
    expect(await (await finish(auth, once, good.cookie)).text()).toContain("0;url=/operations");
    expect(await (await finish(auth, once, good.cookie)).text()).toContain("problem=oidc");
  });

  it("keeps out who is no operator when there is no default role, and whose e-mail nobody verified", async () => {
    const strict = await signIn(authWith({ defaultRole: "none" }), claims());
    expect(strict.operator).toBeUndefined();
    expect(strict.page).toContain("problem=oidc");
    const unverified = claims({ email_verified: false });
    expect((await signIn(authWith(), unverified)).operator).toBeUndefined();
    const { rows } = await test.db.pool.query({
      text: "select 1 from onceboard.operators where email = $1",
      values: [unverified.email],
    });
    expect(rows).toEqual([]);
  });

  it("gives the role in the tenants that the deployment names alone, also by a claim, and none that was taken away", async () => {
    await test.db.pool.query("insert into onceboard.tenants (id, name) values ('acme', 'Acme'), ('globex', 'Globex')");
    const auth = authWith({ tenants: ["acme", "globex", "nowhere"], roleClaim: "role" });
    const person = claims();
    const first = await signIn(auth, person);
    expect(first.operator).toMatchObject({ role: undefined, tenants: { acme: "viewer", globex: "viewer" } });
    await test.db.pool.query({
      text: "delete from onceboard.operator_grants where operator_id = $1 and tenant_id = 'globex'",
      values: [first.operator?.id],
    });
    const second = await signIn(auth, { ...person, role: ["admin"] });
    expect(second.operator).toMatchObject({ role: undefined, tenants: { acme: "admin" } });
    expect(second.operator?.tenants).toEqual({ acme: "admin" });
    const everywhere = authWith({ roleClaim: "role" });
    expect((await signIn(everywhere, { ...person, role: ["admin"] })).operator?.role).toBeUndefined();
  });

  it("is the operator of the same verified e-mail, in the role given here; a claim of nobody takes it over", async () => {
    const auth = authWith({ defaultRole: "none" });
    const person = claims();
    await upsertOperator(test.db, auth, { email: person.email, password: "correct horse battery", role: "operator" });
    expect((await signIn(auth, { ...person, email_verified: false })).operator).toBeUndefined();
    const { operator } = await signIn(auth, person);
    expect(operator).toMatchObject({ email: person.email, role: "operator" });
    expect(operator?.confirmation.by).toEqual(["password", "oidc"]);
  });

  it("is not somebody who signs in there as another person already, though the issuer gives their e-mail away again", async () => {
    const auth = authWith();
    const person = claims();
    const { operator } = await signIn(auth, person);
    const heir = await signIn(auth, { ...claims(), email: person.email });
    expect(heir.operator).toBeUndefined();
    expect(heir.page).toContain("problem=oidc");
    expect((await signIn(auth, person)).operator?.id).toBe(operator?.id);
    // Whoever is shut out and let in again is tied anew, to nobody meanwhile.
    await shutOut(person.email);
    expect((await signIn(auth, { ...claims(), email: person.email })).operator).toBeUndefined();
    await test.db.pool.query({
      text: "update onceboard.operators set disabled_at = null where email = $1",
      values: [person.email],
    });
    expect((await signIn(auth, person)).operator?.id).toBe(operator?.id);
  });

  it("proves nothing by a sign-in there that is older than our limit, or of unknown age", async () => {
    const auth = authWith();
    const { url } = await begin(auth);
    expect(new URL(url).searchParams.get("max_age")).toBe("600");
    issuer.person = claims();
    const asked = await begin(auth);
    const stripped = new URL(asked.url);
    // Who sits at an open console may change the address on its way.
    stripped.searchParams.delete("max_age");
    const answer = await finish(auth, await issuer.signIn(stripped.href), asked.cookie);
    const operator = await readOperator(auth, new Headers({ cookie: cookieOf(answer) }));
    expect(operator?.confirmation).toEqual({ fresh: false, by: ["oidc"] });
  });

  it("is begun a bounded number of times from one network, and that stops nobody's password", async () => {
    const auth = authWith();
    const kept = async () =>
      (await test.db.pool.query("select count(*)::int as n from onceboard.verifications")).rows as { n: number }[];
    await begin(auth);
    const counted = await test.db.pool.query({
      text: "update onceboard.verifications set value = $1 where id like 'begun:%'",
      values: [String(OIDC_BEGINS_PER_ADDRESS)],
    });
    expect(counted.rowCount).toBe(1);
    const before = await kept();
    await expect(begin(auth)).rejects.toMatchObject({ code: "rate_limit.exceeded", status: 429 });
    expect(await kept()).toEqual(before);
    await test.db.pool.query("delete from onceboard.verifications where id like 'begun:%'");
  });

  it("takes the role of the claim at each sign-in", async () => {
    const auth = authWith({ roleClaim: "role", defaultRole: "none" });
    const person = claims({ role: ["everybody", "approver"] });
    expect((await signIn(auth, person)).operator?.role).toBe("approver");
    expect((await signIn(auth, { ...person, role: "auditor" })).operator?.role).toBe("auditor");
    expect((await signIn(auth, { ...person, role: "root" })).operator?.role).toBe("auditor");
    expect((await signIn(auth, claims({ role: "root" }))).operator).toBeUndefined();
    await auth.access.flush();
    const results = await accessEntries(test, person.email);
    const signedIn = ["sessions.sign_in", `operator:${person.name}`];
    expect(results.map(({ action, actor }) => [action, actor])).toEqual([
      ["operators.create", "system:single sign-on"],
      signedIn,
      ["operators.change_role", "system:single sign-on"],
      signedIn,
      signedIn,
    ]);
    expect(results[0]?.after).toMatchObject({ email: person.email, role: "approver" });
    expect(results[1]?.after).toMatchObject({ method: "single sign-on", role: "approver", address: "192.0.2.5" });
    expect(results[2]).toMatchObject({ before: { role: "approver" }, after: { role: "auditor" } });
  });

  it("takes no last admin away by a claim", async () => {
    const auth = authWith({ roleClaim: "role", defaultRole: "none" });
    const [last, other] = [claims({ role: "admin" }), claims({ role: "admin" })];
    await test.db.pool.query("update onceboard.operators set role = 'viewer' where role = 'admin'");
    expect((await signIn(auth, last)).operator?.role).toBe("admin");
    expect((await signIn(auth, { ...last, role: "viewer" })).operator?.role).toBe("admin");
    expect((await signIn(auth, other)).operator?.role).toBe("admin");
    expect((await signIn(auth, { ...last, role: "viewer" })).operator?.role).toBe("viewer");
  });

  it("keeps a disabled operator out", async () => {
    const auth = authWith();
    const person = claims();
    const { operator } = await signIn(auth, person);
    expect(operator).toBeDefined();
    await shutOut(person.email);
    const again = await signIn(auth, person);
    expect(again.operator).toBeUndefined();
    expect(again.page).toContain("problem=oidc");
  });

  it("is not there without an issuer, and leads to no other site", async () => {
    const none = createAuth({ db: test.db, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
    await expect(begin(none)).rejects.toMatchObject({ code: "auth.not_found", status: 404 });
    await expect(finish(none, `${CALLBACK}?code=x&state=y`, "")).rejects.toMatchObject({ code: "auth.not_found" });
    const auth = authWith();
    issuer.person = claims();
    const { url, cookie } = await begin(auth, "//evil.example/x");
    const page = await (await finish(auth, await issuer.signIn(url), cookie)).text();
    expect(page).toContain(`content="0;url=/"`);
  });
});
