import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JWTPayload } from "jose";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { createAuth, type Auth } from "../sessions";
import { startForgingIssuer, type ForgingIssuer } from "../testing/forging-issuer";

const PUBLIC_URL = "http://ops.localhost:3000";
let test: TestDatabase;
let issuer: ForgingIssuer;
let auth: Auth;

beforeAll(async () => {
  test = await createTestDatabase();
  issuer = await startForgingIssuer();
  const oidc = { issuer: issuer.issuer, clientId: "onceboard", clientSecret: "a client secret of a test" };
  auth = createAuth({
    db: test.db,
    secret: "a secret of a test, 32 characters",
    publicUrl: PUBLIC_URL,
    oidc: { ...oidc, name: "Test", roleClaim: undefined, defaultRole: "viewer" },
  });
});
beforeEach(() => {
  issuer.forge = issuer.honest;
});
afterAll(async () => {
  await issuer.close();
  await test.drop();
});

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

async function begin() {
  const request = new Request(`${PUBLIC_URL}/api/auth/sign-in/oidc`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: PUBLIC_URL },
    body: "{}",
  });
  const answer = await auth.handler(request, "192.0.2.5");
  const { url } = (await answer.json()) as { url: string };
  return { url, cookie: cookieOf(answer) };
}

const finish = (back: string, cookie: string) => auth.handler(new Request(back, { headers: { cookie } }), "192.0.2.5");

const sessions = async (): Promise<number> =>
  (await test.db.pool.query<{ n: number }>("select count(*)::int as n from onceboard.sessions")).rows[0]?.n ?? 0;

/** @returns whether a session was opened */
async function signsIn(): Promise<boolean> {
  const before = await sessions();
  const { url, cookie } = await begin();
  const answer = await finish(issuer.back(url), cookie);
  const opened = (await sessions()) === before + 1;
  expect(await answer.text()).toContain(opened ? `content="0;url=/"` : "0;url=/sign-in?problem=oidc");
  expect(/session_token=[^;]/.test(cookieOf(answer))).toBe(opened);
  return opened;
}

const changed =
  (by: (claims: JWTPayload) => JWTPayload) =>
  (claims: JWTPayload): Promise<string> | string =>
    issuer.honest(by(claims));
const without = (name: string) => changed((claims) => ({ ...claims, [name]: undefined }));

describe("ACCESS-6 an ID token is verified", () => {
  it("lets in by an honest one", async () => {
    expect(await signsIn()).toBe(true);
  });

  it.each([
    ["a key that the issuer does not publish", (claims: JWTPayload) => issuer.byAnotherKey(claims)],
    ["no signature (alg none)", (claims: JWTPayload) => issuer.unsigned(claims)],
    ["HMAC with the issuer's public key (alg HS256)", (claims: JWTPayload) => issuer.byItsPublicKey(claims)],
    ["another issuer", changed((claims) => ({ ...claims, iss: "https://login.example.com" }))],
    ["another audience", changed((claims) => ({ ...claims, aud: "another-client" }))],
    ["several audiences and no authorized party", changed((claims) => ({ ...claims, aud: ["onceboard", "another"] }))],
    ["another authorized party", changed((claims) => ({ ...claims, azp: "another-client" }))],
    ["an end that is over", changed((claims) => ({ ...claims, iat: 1_700_000_000, exp: 1_700_000_300 }))],
    ["an end, but made long ago", changed((claims) => ({ ...claims, iat: 1_700_000_000 }))],
    ["the nonce of another sign-in", changed((claims) => ({ ...claims, nonce: "of another" }))],
    ["no nonce", without("nonce")],
    ["no end", without("exp")],
    ["no audience", without("aud")],
    ["no subject", without("sub")],
  ])("keeps out one with %s", async (_what, forge) => {
    issuer.forge = forge;
    expect(await signsIn()).toBe(false);
  });
});

describe("ACCESS-6 one way back opens one session", () => {
  it("refuses the same way back a second time, with the same and with another token", async () => {
    const { url, cookie } = await begin();
    const back = issuer.back(url);
    const before = await sessions();
    await finish(back, cookie);
    expect(await (await finish(back, cookie)).text()).toContain("problem=oidc");
    expect(await sessions()).toBe(before + 1);
  });

  it("opens one session of ten ways back at the same time", async () => {
    const { url, cookie } = await begin();
    const back = issuer.back(url);
    const before = await sessions();
    const answers = await Promise.all(Array.from({ length: 10 }, () => finish(back, cookie)));
    const pages = await Promise.all(answers.map((answer) => answer.text()));
    expect(pages.filter((page) => page.includes("problem=oidc"))).toHaveLength(9);
    expect(await sessions()).toBe(before + 1);
  });

  it("is not used up by somebody who only knows it", async () => {
    const { url, cookie } = await begin();
    const back = issuer.back(url);
    expect(await (await finish(back, "")).text()).toContain("problem=oidc");
    expect(await (await finish(back, cookie)).text()).toContain(`content="0;url=/"`);
  });
});
