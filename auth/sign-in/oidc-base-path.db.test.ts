import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { createAuth, type Auth } from "../sessions";
import { startIssuer } from "../testing/oidc-issuer";

const ORIGIN = "http://ops.localhost:3000";
const BASE = "/ops/onceboard";
const CALLBACK = `${ORIGIN}${BASE}/api/auth/oauth2/callback/oidc`;
const PERSON = { sub: "subject-1", email: "ada@example.com", email_verified: true, name: "Ada" };

let test: TestDatabase;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let auth: Auth;
beforeAll(async () => {
  test = await createTestDatabase();
  issuer = await startIssuer(CALLBACK, PERSON);
  const { issuer: address, clientId, clientSecret } = issuer;
  auth = createAuth({
    db: test.db,
    secret: "a secret of a test, 32 characters",
    publicUrl: ORIGIN + BASE,
    oidc: { issuer: address, clientId, clientSecret, name: "Test", roleClaim: undefined, defaultRole: "viewer" },
  });
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

async function begin(path: string) {
  const request = new Request(`${ORIGIN}${path}/api/auth/sign-in/oidc`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: ORIGIN },
    body: JSON.stringify({ next: "/operations?state=FAILED" }),
  });
  const answer = await auth.handler(request, "192.0.2.5");
  const { url } = (await answer.json()) as { url: string };
  return { url, cookie: cookieOf(answer), lines: answer.headers.getSetCookie() };
}

const finish = (url: string, cookie: string): Promise<Response> =>
  auth.handler(new Request(url, { headers: { cookie } }), "192.0.2.5");

it("ACCESS-6 signing in elsewhere comes back below the base path, with cookies for it alone", async () => {
  const { url, cookie, lines } = await begin(BASE);
  expect(new URL(url).searchParams.get("redirect_uri")).toBe(CALLBACK);
  const answer = await finish(await issuer.signIn(url), cookie);
  expect(await answer.text()).toContain(`content="0;url=${BASE}/operations?state=FAILED"`);
  const set = [...lines, ...answer.headers.getSetCookie()];
  expect(set.join()).toMatch(/session_token=[^;]/);
  expect(set.map((line) => /Path=([^;]*)/.exec(line)?.[1])).toEqual(set.map(() => BASE));
});

it("ACCESS-6 what is refused leads to the sign-in page below the base path, and nothing answers at the root", async () => {
  const { url, cookie } = await begin(BASE);
  const forged = (await issuer.signIn(url)).replace(/state=[^&]*/, "state=forged");
  const answer = await finish(forged, cookie);
  expect(await answer.text()).toContain(`0;url=${BASE}/sign-in?problem=oidc`);
  expect(cookieOf(answer)).not.toMatch(/session_token=[^;]/);
  await expect(begin("")).rejects.toMatchObject({ code: "auth.not_found" });
});
