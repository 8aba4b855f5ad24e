import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { upsertOperator } from "../operators";
import { createAuth, type Auth } from "../sessions";
import { SIGN_IN_ATTEMPTS, SIGN_IN_ATTEMPTS_PER_NETWORK, SIGN_IN_ATTEMPTS_PER_PERSON } from "./sign-in-limit";

const PUBLIC_URL = "https://ops.example.com";
const PASSWORD = "correct horse battery";
let test: TestDatabase;
let auth: Auth;
beforeAll(async () => {
  test = await createTestDatabase();
  auth = createAuth({ db: test.db, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
  for (const email of ["owner@example.com", "other@example.com"])
    await upsertOperator(test.db, auth, { email, password: PASSWORD, role: "operator" });
});
beforeEach(async () => {
  await test.db.pool.query("delete from onceboard.verifications");
});
afterAll(() => test.drop());

function signIn(email: string, password: string, address: string, cookie = ""): Promise<Response> {
  const headers = { "content-type": "application/json", origin: PUBLIC_URL, cookie };
  const body = JSON.stringify({ email, password });
  return auth.handler(new Request(`${PUBLIC_URL}/api/auth/sign-in/email`, { method: "POST", headers, body }), address);
}

/** What each was answered: `auth.sign_in_failed` was a guess, the password was looked at. */
async function guess(count: number, addressOf: (n: number) => string, cookie = "", email = "owner@example.com") {
  const said: string[] = [];
  for (let n = 0; n < count; n += 1)
    said.push(
      await signIn(email, `guess number ${String(n)}`, addressOf(n), cookie).then(
        () => "in",
        (error: unknown) => (error as { readonly code: string }).code,
      ),
    );
  return { guesses: said.filter((code) => code === "auth.sign_in_failed").length, last: said.at(-1) };
}

/** Each of these guesses takes as long as a password does, so most of them are put into the count of the one e-mail. */
async function countedTo(attempts: number): Promise<void> {
  const { rowCount } = await test.db.pool.query({
    text: "update onceboard.verifications set value = $1 where id like 'person:%' and value <> '0'",
    values: [String(attempts)],
  });
  expect(rowCount).toBe(1);
}

/** Signs in where nobody did before. @returns the cookie by which this browser is known */
async function known(email: string): Promise<string> {
  const answer = await signIn(email, PASSWORD, "203.0.113.200");
  const line = answer.headers.getSetCookie().find((each) => each.startsWith("onceboard.device-")) ?? "";
  expect(line).toMatch(/; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure$/);
  return line.split(";")[0] ?? "";
}

describe("ACCESS-3 a guesser with many addresses", () => {
  it("has a bounded number of guesses for one e-mail from 39 networks, and its owner signs in meanwhile where they did before", async () => {
    const cookie = await known("owner@example.com");
    expect((await guess(2, (n) => `198.51.${String(n)}.7`)).guesses).toBe(2);
    await countedTo(SIGN_IN_ATTEMPTS_PER_PERSON - 2);
    const from39 = await guess(39, (n) => `198.51.${String(n)}.7`);
    expect(from39).toEqual({ guesses: 2, last: "rate_limit.exceeded" });
    // Nobody's guesses shut the owner out, whatever network they come from; a browser that is not known waits.
    expect((await signIn("owner@example.com", PASSWORD, "203.0.113.9", cookie)).status).toBe(204);
    expect((await signIn("owner@example.com", PASSWORD, "198.51.3.7", cookie)).status).toBe(204);
    await expect(signIn("owner@example.com", PASSWORD, "203.0.113.9")).rejects.toMatchObject({
      ...{ code: "rate_limit.exceeded", status: 429 },
    });
    expect((await signIn("other@example.com", PASSWORD, "203.0.113.9")).status).toBe(204);
    await test.db.pool.query("update onceboard.verifications set expires_at = now() - interval '1 second'");
    expect((await signIn("owner@example.com", PASSWORD, "203.0.113.10")).status).toBe(204);
  });

  it("has as few for an e-mail that nobody has", async () => {
    const from = (n: number) => `198.51.${String(n)}.7`;
    expect((await guess(2, from, "", "nobody@example.com")).guesses).toBe(2);
    await countedTo(SIGN_IN_ATTEMPTS_PER_PERSON - 2);
    expect((await guess(39, from, "", "nobody@example.com")).guesses).toBe(2);
  });

  it("has five guesses in a browser that knows the person", async () => {
    const cookie = await known("owner@example.com");
    expect((await guess(9, (n) => `198.51.${String(n)}.7`, cookie)).guesses).toBe(SIGN_IN_ATTEMPTS);
    expect((await signIn("owner@example.com", PASSWORD, "203.0.113.11")).status).toBe(204);
  });

  it("is known by no cookie of another person, and by none that is made up", async () => {
    const [name = "", value = ""] = (await known("owner@example.com")).split("=");
    const others = (await known("other@example.com")).split("=")[1] ?? "";
    await guess(1, () => "198.51.1.8");
    await countedTo(SIGN_IN_ATTEMPTS_PER_PERSON);
    for (const forged of [`${name}=${others}`, `${name}=${value.slice(0, 22)}.${"A".repeat(43)}`, `${name}=x`])
      await expect(signIn("owner@example.com", PASSWORD, "203.0.113.12", forged)).rejects.toMatchObject({
        code: "rate_limit.exceeded",
      });
    expect((await signIn("owner@example.com", PASSWORD, "203.0.113.12", `${name}=${value}`)).status).toBe(204);
  });

  it.each([
    ["addresses of one /24", "192.0.2.7", "192.0.2.201", "192.0.3.7"],
    ["networks of one /48", "2001:db8:7:1::1", "2001:db8:7:ffff::1", "2001:db8:8:1::1"],
  ])("is stopped over %s, whatever the e-mails", async (_what, one, neighbour, outside) => {
    expect((await guess(1, () => one, "", "first@example.com")).guesses).toBe(1);
    const { rowCount } = await test.db.pool.query({
      text: "update onceboard.verifications set value = $1 where id like 'near:%'",
      values: [String(SIGN_IN_ATTEMPTS_PER_NETWORK - 1)],
    });
    expect(rowCount).toBe(1);
    expect(await guess(2, () => neighbour, "", "second@example.com")).toEqual({
      guesses: 1,
      last: "rate_limit.exceeded",
    });
    expect((await guess(1, () => outside, "", "second@example.com")).guesses).toBe(1);
    expect((await signIn("other@example.com", PASSWORD, "203.0.113.12")).status).toBe(204);
  });
});
