import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { readOperator } from "./operator-session";
import { upsertOperator } from "./operators";
import { createAuth, type Auth } from "./sessions";
import { SIGN_IN_ATTEMPTS, SIGN_IN_ATTEMPTS_OF_UNKNOWN, SIGN_IN_ATTEMPTS_PER_ADDRESS } from "./sign-in/sign-in-limit";

const PUBLIC_URL = "https://ops.example.com";
const PASSWORD = "correct horse battery";
let test: TestDatabase;
let auth: Auth;

beforeAll(async () => {
  test = await createTestDatabase();
  auth = createAuth({ db: test.db, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
});
afterAll(() => test.drop());

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`${PUBLIC_URL}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: PUBLIC_URL, ...headers },
    body: JSON.stringify(body),
  });
}

function signIn(email: string, password = PASSWORD, address = "192.0.2.1"): Promise<Response> {
  return auth.handler(post("sign-in/email", { email, password }), address);
}

async function operator(email: string, role = "operator"): Promise<Headers> {
  await upsertOperator(test.db, auth, { email, password: PASSWORD, role });
  return cookieOf(await signIn(email));
}

function cookieOf(response: Response): Headers {
  return new Headers({
    cookie: response.headers
      .getSetCookie()
      .filter((line) => !line.startsWith("onceboard.device-"))
      .map((line) => line.split(";")[0])
      .join("; "),
  });
}

const codeIn = (reason: unknown): unknown => (reason as { readonly code?: unknown }).code;

/** The count of a network is the highest: it has those of all its e-mails. */
function countedTo(attempts: number) {
  return sql(
    `update onceboard.verifications set value = $1 where id =
       (select id from onceboard.verifications where id like 'sign-in:%' order by value::bigint desc limit 1)`,
    [String(attempts)],
  );
}

function sql(text: string, values: unknown[] = []) {
  return test.db.pool.query({ text, values });
}

describe("signing in", () => {
  it("gives a strict, closed, short cookie and no token in the body", async () => {
    await upsertOperator(test.db, auth, {
      email: "Ada@Example.com",
      password: PASSWORD,
      role: "operator",
      name: "Ada",
    });
    const response = await signIn(" ada@example.COM ");
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    const [cookie, ...others] = response.headers.getSetCookie();
    // By which the browser is known next time; it opens nothing (sign-in-limit.db.test.ts).
    expect(others).toEqual([expect.stringMatching(/^onceboard\.device-/)]);
    expect(cookie).toMatch(/^__Secure-onceboard\.session_token=/);
    for (const part of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/", "Max-Age=28800"]) {
      expect(cookie?.toLowerCase()).toContain(part.toLowerCase());
    }
    const person = await readOperator(auth, cookieOf(response));
    expect(person).toMatchObject({ email: "ada@example.com", name: "Ada", role: "operator" });
    const { rows } = await sql("select ip_address from onceboard.sessions where id = $1", [person?.sessionId]);
    expect(rows).toEqual([{ ip_address: "192.0.2.1" }]);
  });

  it("keeps its own limits whatever the body asks for", async () => {
    await operator("limits@example.com", "viewer");
    const request = post("sign-in/email", {
      email: "limits@example.com",
      password: PASSWORD,
      rememberMe: false,
      callbackURL: "https://evil.example",
      role: "admin",
    });
    const response = await auth.handler(request, "192.0.2.2");
    expect(response.headers.get("location")).toBeNull();
    expect(response.headers.getSetCookie().join()).toContain("Max-Age=28800");
    expect((await readOperator(auth, cookieOf(response)))?.role).toBe("viewer");
  });

  it("says the same of a wrong password, an unknown e-mail and a disabled operator", async () => {
    await operator("shut@example.com");
    await operator("open@example.com");
    await sql("update onceboard.operators set disabled_at = now() where email = 'shut@example.com'");
    await sql(
      "delete from onceboard.sessions where user_id = (select id from onceboard.operators where email = 'shut@example.com')",
    );
    const refusals = await Promise.all(
      [signIn("open@example.com", "wrong password"), signIn("nobody@example.com"), signIn("shut@example.com")].map(
        (answer) =>
          answer.then(
            () => undefined,
            (error: unknown) => error,
          ),
      ),
    );
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: "auth.sign_in_failed", status: 401, retryable: false });
    }
    expect(new Set(refusals.map(String)).size).toBe(1);
    const { rows } = await sql(
      "select 1 from onceboard.sessions s join onceboard.operators o on o.id = s.user_id where o.email = 'shut@example.com'",
    );
    expect(rows).toEqual([]);
  });

  it("stops after five wrong passwords, even at once, for this e-mail and network only", async () => {
    await operator("guessed@example.com");
    const address = (tail: string) => `2001:db8:0:7:${tail}`;
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        signIn("guessed@example.com", `guess number ${String(index)}`, address(`:${String(index + 1)}`)),
      ),
    );
    const codes = tries.map((one) => (one.status === "rejected" ? (one.reason as { code: string }).code : "in"));
    expect(codes.filter((code) => code === "auth.sign_in_failed")).toHaveLength(SIGN_IN_ATTEMPTS);
    expect(codes.filter((code) => code === "rate_limit.exceeded")).toHaveLength(12 - SIGN_IN_ATTEMPTS);
    await expect(signIn("guessed@example.com", PASSWORD, address("ffff::1"))).rejects.toMatchObject({
      code: "rate_limit.exceeded",
      status: 429,
      retryAfter: expect.any(Number) as number,
    });
    expect((await signIn("guessed@example.com", PASSWORD, "2001:db8:0:8::1")).status).toBe(204);
    await sql("update onceboard.verifications set expires_at = now() - interval '1 second'");
    expect((await signIn("guessed@example.com", PASSWORD, address(":1"))).status).toBe(204);
  });

  it("ACCESS-3 lets who failed nowhere in, whoever guesses, where nobody has an address", async () => {
    for (const name of ["victim", "bystander", "clumsy"]) await operator(`${name}@unknown.example`);
    const unknown = (email: string, password = PASSWORD) => auth.handler(post("sign-in/email", { email, password }));
    await expect(unknown("clumsy@unknown.example", "slipped once")).rejects.toMatchObject({ status: 401 });
    const guesses = await Promise.allSettled(
      Array.from({ length: 8 }, () => unknown("victim@unknown.example", "a guess")),
    );
    const limited = guesses.filter((one) => one.status === "rejected" && codeIn(one.reason) === "rate_limit.exceeded");
    expect(limited).toHaveLength(8 - SIGN_IN_ATTEMPTS);
    await expect(unknown("victim@unknown.example")).rejects.toMatchObject({ code: "rate_limit.exceeded" });
    // More than one network may, then as many as the shared count takes: from there on one slip is enough to wait, none is let in.
    await countedTo(SIGN_IN_ATTEMPTS_PER_ADDRESS + 1);
    expect((await unknown("bystander@unknown.example")).status).toBe(204);
    await expect(unknown("clumsy@unknown.example", "slipped twice")).rejects.toMatchObject({ status: 401 });
    await countedTo(SIGN_IN_ATTEMPTS_OF_UNKNOWN);
    expect((await unknown("bystander@unknown.example")).status).toBe(204);
    await expect(unknown("clumsy@unknown.example")).rejects.toMatchObject({ code: "rate_limit.exceeded" });
    await sql("update onceboard.verifications set expires_at = now() - interval '1 second'");
    expect((await unknown("clumsy@unknown.example")).status).toBe(204);
  });

  it("stops a list of passwords from one network, whatever the e-mails", async () => {
    await operator("late@example.com");
    await sql("delete from onceboard.verifications");
    for (const email of ["one@example.com", "two@example.com"]) {
      await expect(signIn(email, "a guess", "198.51.100.9")).rejects.toMatchObject({ status: 401 });
    }
    await countedTo(SIGN_IN_ATTEMPTS_PER_ADDRESS);
    await expect(signIn("late@example.com", PASSWORD, "198.51.100.9")).rejects.toMatchObject({
      code: "rate_limit.exceeded",
    });
    expect((await signIn("late@example.com", PASSWORD, "198.51.100.10")).status).toBe(204);
  });

  it("does not count what was right", async () => {
    await operator("often@example.com");
    for (let round = 0; round < SIGN_IN_ATTEMPTS + 2; round += 1) {
      expect((await signIn("often@example.com", PASSWORD, "192.0.2.77")).status).toBe(204);
    }
  });

  it("takes requests of its own pages only", async () => {
    const body = { email: "ada@example.com", password: PASSWORD };
    const refused = (headers: Record<string, string>) => auth.handler(post("sign-in/email", body, headers));
    await expect(refused({ origin: "https://evil.example" })).rejects.toMatchObject({ code: "auth.cross_site" });
    await expect(refused({ origin: "null" })).rejects.toMatchObject({ code: "auth.cross_site" });
    await expect(refused({ "sec-fetch-site": "cross-site" })).rejects.toMatchObject({ code: "auth.cross_site" });
    await expect(refused({ "content-type": "text/plain" })).rejects.toMatchObject({ code: "validation.content_type" });
    for (const wrong of [
      [],
      { email: "a@b.example" },
      { ...body, password: 7 },
      { ...body, password: "x".repeat(5_000) },
    ]) {
      await expect(auth.handler(post("sign-in/email", wrong))).rejects.toMatchObject({ code: "validation.sign_in" });
    }
  });

  it("offers nothing else of the library", async () => {
    for (const path of ["sign-up/email", "update-user", "change-password", "sign-in/social", "list-sessions", "ok"]) {
      await expect(auth.handler(post(path, {}))).rejects.toMatchObject({ code: "auth.not_found", status: 404 });
    }
  });
});

describe("a session", () => {
  it("ends with sign-out", async () => {
    const cookie = await operator("leaves@example.com");
    const response = await auth.handler(post("sign-out", {}, { cookie: cookie.get("cookie") ?? "" }));
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie().join()).toContain("Max-Age=0");
    expect(await readOperator(auth, cookie)).toBeUndefined();
  });

  it("is told to the page by get-session", async () => {
    const cookie = await operator("asks@example.com");
    const ask = (headers: Headers) => auth.handler(new Request(`${PUBLIC_URL}/api/auth/get-session`, { headers }));
    expect(await (await ask(cookie)).json()).toMatchObject({ operator: { email: "asks@example.com" } });
    expect(await (await ask(new Headers())).json()).toEqual({ operator: null });
  });

  it("follows a changed role, a disabled operator and a revoked row on the next request", async () => {
    const cookie = await operator("changes@example.com", "admin");
    expect((await readOperator(auth, cookie))?.role).toBe("admin");
    await sql("update onceboard.operators set role = 'viewer' where email = 'changes@example.com'");
    expect((await readOperator(auth, cookie))?.role).toBe("viewer");
    await sql("update onceboard.operators set disabled_at = now() where email = 'changes@example.com'");
    expect(await readOperator(auth, cookie)).toBeUndefined();

    const other = await operator("revoked@example.com");
    await sql(
      "delete from onceboard.sessions where user_id = (select id from onceboard.operators where email = 'revoked@example.com')",
    );
    expect(await readOperator(auth, other)).toBeUndefined();
  });

  it("ends when its operator gets another password", async () => {
    const cookie = await operator("renewed@example.com");
    const again = await upsertOperator(test.db, auth, {
      email: "renewed@example.com",
      password: "another password",
      role: "viewer",
    });
    expect(again.created).toBe(false);
    expect(await readOperator(auth, cookie)).toBeUndefined();
    expect((await signIn("renewed@example.com", "another password")).status).toBe(204);
  });

  const ENDS = [
    ["is idle for half an hour", "updated_at = now() - interval '30 minutes 1 second'"],
    ["is eight hours old", "created_at = now() - interval '8 hours 1 second'"],
    ["has expired", "expires_at = now() - interval '1 second'"],
  ] as const;
  it.each(ENDS)("ends when it %s", async (_, change) => {
    const cookie = await operator("old@example.com");
    const person = await readOperator(auth, cookie);
    await sql(`update onceboard.sessions set ${change} where id = $1`, [person?.sessionId]);
    expect(await readOperator(auth, cookie)).toBeUndefined();
  });

  it("is kept alive by use, without a write on each request", async () => {
    const cookie = await operator("works@example.com");
    const { sessionId } = (await readOperator(auth, cookie)) ?? { sessionId: "" };
    const seen = async () => {
      const text = "select updated_at::text as at from onceboard.sessions where id = $1";
      return (await test.db.pool.query<{ at: string }>({ text, values: [sessionId] })).rows[0]?.at;
    };
    const first = await seen();
    await readOperator(auth, cookie);
    expect(await seen()).toBe(first);
    await sql("update onceboard.sessions set updated_at = now() - interval '20 minutes' where id = $1", [sessionId]);
    const before = await seen();
    await readOperator(auth, cookie);
    expect(await seen()).not.toBe(before);
  });

  it("is not read from a forged cookie", async () => {
    const cookie = await operator("forged@example.com");
    const forged = (cookie.get("cookie") ?? "").replace(/\.[^.]*$/, ".AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D");
    expect(await readOperator(auth, new Headers({ cookie: forged }))).toBeUndefined();
    expect(await readOperator(auth, new Headers({ cookie: "a=b" }))).toBeUndefined();
  });
});

describe("an operator", () => {
  it.each([
    [{ email: "no address" }, "e-mail"],
    [{ password: "short" }, "at least 8"],
    [{ role: "root" }, "viewer, operator, approver, admin, auditor"],
  ])("is not stored from %j", async (change, words) => {
    const whole = { email: "new@example.com", password: PASSWORD, role: "viewer", ...change };
    await expect(upsertOperator(test.db, auth, whole)).rejects.toMatchObject({
      code: "validation.operator",
      message: expect.stringContaining(words) as string,
    });
  });

  it("is one when ten are stored at once", async () => {
    const stored = await Promise.all(
      Array.from({ length: 10 }, () =>
        upsertOperator(test.db, auth, { email: "many@example.com", password: PASSWORD, role: "viewer" }),
      ),
    );
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
    expect(stored.filter(({ created }) => created)).toHaveLength(1);
  });
});
