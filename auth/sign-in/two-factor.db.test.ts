import { TOTP, Secret } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { confirmPerson, type ConfirmingPerson } from "./confirm-person";
import { readOperator } from "../operator-session";
import { removeSecondFactor, upsertOperator } from "../operators";
import { createAuth, type Auth } from "../sessions";
import { accessEntries } from "../testing/access-entries";
import { confirmTwoFactor, startTwoFactor, stopTwoFactor } from "./two-factor";

const PUBLIC_URL = "https://ops.example.com";
const PASSWORD = "correct horse battery";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
let test: TestDatabase;
let auth: Auth;
let counter = 0;

beforeAll(async () => {
  test = await createTestDatabase();
  auth = createAuth({ db: test.db, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
});
afterAll(() => test.drop());

function cookieOf(headers: Headers, before = ""): string {
  const jar = new Map(
    before
      .split("; ")
      .filter(Boolean)
      .map((pair) => [pair.split("=")[0] ?? "", pair]),
  );
  for (const line of headers.getSetCookie()) {
    const [pair = ""] = line.split(";");
    const name = pair.split("=")[0] ?? "";
    if (/max-age=0/i.test(line)) jar.delete(name);
    else jar.set(name, pair);
  }
  return [...jar.values()].join("; ");
}

function post(path: string, body: unknown, cookie = "", address = "192.0.2.9"): Promise<Response> {
  const request = new Request(`${PUBLIC_URL}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: PUBLIC_URL, "user-agent": BROWSER, cookie },
    body: JSON.stringify(body),
  });
  return auth.handler(request, address);
}

async function callerOf(cookie: string): Promise<ConfirmingPerson> {
  const operator = await readOperator(auth, new Headers({ cookie }));
  if (operator === undefined) throw new Error("nobody is signed in");
  return { operator, cookie, address: "192.0.2.9", userAgent: BROWSER };
}

async function signedIn(): Promise<{ email: string; cookie: string }> {
  counter += 1;
  const email = `second-${String(counter)}@example.com`;
  await upsertOperator(test.db, auth, { email, password: PASSWORD, role: "operator" });
  return { email, cookie: cookieOf((await post("sign-in/email", { email, password: PASSWORD })).headers) };
}

/** The code of the next half minute, which is right already: it is not too old when this one ends meanwhile. */
const codeOf = (secret: string, at = Date.now() + 30_000) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

async function withTwoFactor() {
  const { email, cookie } = await signedIn();
  const start = await startTwoFactor(auth, await callerOf(cookie), PASSWORD);
  // That of now; the next one stays for the test.
  const first = codeOf(start.secret, Date.now());
  const headers = await confirmTwoFactor(auth, await callerOf(cookie), first);
  return { email, cookie: cookieOf(headers, cookie), old: cookie, first, ...start };
}

async function challenge(email: string, address = "192.0.2.9"): Promise<string> {
  const answer = await post("sign-in/email", { email, password: PASSWORD }, "", address);
  expect([answer.status, await answer.json()]).toEqual([200, { next: "code" }]);
  const cookie = cookieOf(answer.headers);
  expect(await readOperator(auth, new Headers({ cookie }))).toBeUndefined();
  return cookie;
}

describe("ACCESS-4 a second factor", () => {
  it("is off until a code is confirmed, and its secret is a QR code, a text and ten backup codes", async () => {
    const { email, cookie } = await signedIn();
    await expect(startTwoFactor(auth, await callerOf(cookie), "wrong password")).rejects.toMatchObject({
      code: "auth.confirmation_failed",
      status: 403,
    });
    const start = await startTwoFactor(auth, await callerOf(cookie), PASSWORD);
    expect(start.secret).toMatch(/^[A-Z2-7]{32,}$/);
    expect(start.qr.path).toMatch(/^M\d+ \d+h\d+v1h-\d+z/);
    expect(new Set(start.backupCodes).size).toBe(10);
    expect((await post("sign-in/email", { email, password: PASSWORD })).status).toBe(204);
    await expect(confirmTwoFactor(auth, await callerOf(cookie), "000000")).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
    const headers = await confirmTwoFactor(auth, await callerOf(cookie), codeOf(start.secret));
    expect((await callerOf(cookieOf(headers, cookie))).operator.twoFactor).toBe(true);
    const { rows } = await test.db.pool.query({
      text: "select secret || backup_codes as kept from onceboard.two_factors t join onceboard.operators o on o.id = t.user_id where o.email = $1",
      values: [email],
    });
    expect(rows).toHaveLength(1);
    for (const message of [start.secret, ...start.backupCodes]) expect(JSON.stringify(rows)).not.toContain(message);
  });

  it("is asked for after the password, and lets in by the code of now", async () => {
    const { email, secret, old } = await withTwoFactor();
    expect(await readOperator(auth, new Headers({ cookie: old }))).toBeUndefined();
    const pending = await challenge(email);
    await expect(post("sign-in/code", { code: "000000" }, pending)).rejects.toMatchObject({
      code: "auth.code_wrong",
      status: 401,
    });
    await expect(post("sign-in/code", { code: codeOf(secret, Date.now() - 600_000) }, pending)).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
    const answer = await post("sign-in/code", { code: codeOf(secret) }, pending);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    const { operator } = await callerOf(cookieOf(answer.headers));
    expect(operator).toMatchObject({ email, confirmation: { fresh: true, by: ["password", "code"] } });
    await expect(post("sign-in/code", { code: codeOf(secret) }, pending)).rejects.toMatchObject({
      code: "auth.sign_in_over",
    });
  });

  it("takes the code that set it up for nothing else", async () => {
    const { email, cookie, first } = await withTwoFactor();
    await expect(confirmPerson(auth, await callerOf(cookie), { code: first })).rejects.toMatchObject({
      code: "auth.confirmation_failed",
    });
    await expect(post("sign-in/code", { code: first }, await challenge(email))).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
  });

  it("lets in by one backup code once, also by two requests at the same moment", async () => {
    const { email, backupCodes } = await withTwoFactor();
    const [code = ""] = backupCodes;
    const pending = [await challenge(email, "192.0.2.23"), await challenge(email, "192.0.2.24")];
    const tries = await Promise.allSettled(
      pending.map((cookie, index) => post("sign-in/code", { code }, cookie, `192.0.2.${String(33 + index)}`)),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("lets in by one code once, also by two requests at the same moment", async () => {
    const { email, secret } = await withTwoFactor();
    const code = codeOf(secret);
    const pending = [await challenge(email, "192.0.2.21"), await challenge(email, "192.0.2.22")];
    const tries = await Promise.allSettled(
      pending.map((cookie, index) => post("sign-in/code", { code }, cookie, `192.0.2.${String(31 + index)}`)),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(post("sign-in/code", { code }, await challenge(email))).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
    const { rows } = await test.db.pool.query({
      text: "select 1 from onceboard.sessions s join onceboard.operators o on o.id = s.user_id where o.email = $1",
      values: [email],
    });
    // That of the set-up and that of the one sign-in.
    expect(rows).toHaveLength(2);
  });

  it("shows its secret in one answer only: who begins again gets another one, and the first confirms nothing", async () => {
    const { cookie } = await signedIn();
    const first = await startTwoFactor(auth, await callerOf(cookie), PASSWORD);
    const second = await startTwoFactor(auth, await callerOf(cookie), PASSWORD);
    expect(second.secret).not.toBe(first.secret);
    expect(second.qr.path).not.toBe(first.qr.path);
    expect(second.backupCodes.some((code) => first.backupCodes.includes(code))).toBe(false);
    await expect(confirmTwoFactor(auth, await callerOf(cookie), codeOf(first.secret))).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
  });

  it("takes a backup code once, wherever it is shown: one that confirmed a step opens no sign-in", async () => {
    const { email, cookie, backupCodes } = await withTwoFactor();
    const [code = ""] = backupCodes;
    await confirmPerson(auth, await callerOf(cookie), { code });
    await expect(post("sign-in/code", { code }, await challenge(email))).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
  });

  it("lets in by a backup code once", async () => {
    const { email, backupCodes } = await withTwoFactor();
    const [first = ""] = backupCodes;
    const answer = await post("sign-in/code", { code: first }, await challenge(email));
    expect(answer.status).toBe(204);
    await expect(post("sign-in/code", { code: first }, await challenge(email))).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
    expect((await post("sign-in/code", { code: backupCodes[1] }, await challenge(email))).status).toBe(204);
  });

  it("tells the access log by which factor somebody came in, and of a code that was wrong or used, not which", async () => {
    const { email, secret, backupCodes } = await withTwoFactor();
    await expect(post("sign-in/code", { code: "000000" }, await challenge(email))).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
    const code = codeOf(secret);
    await post("sign-in/code", { code }, await challenge(email));
    await post("sign-in/code", { code: backupCodes[0] }, await challenge(email));
    await auth.access.flush();
    const results = (await accessEntries(test, email)).filter(({ action }) => action.startsWith("sessions."));
    expect(results.map(({ action, after, reason }) => [action, after?.["method"] ?? reason])).toEqual([
      ["sessions.sign_in", "password"],
      ["sessions.sign_in_refused", "wrong code"],
      ["sessions.sign_in", "password and code"],
      ["sessions.sign_in", "password and backup code"],
    ]);
    for (const message of [code, "000000", backupCodes[0] ?? "?", secret])
      expect(JSON.stringify(results)).not.toContain(message);
  });

  it("ends the step after five wrong codes, and locks after ten in a row, for the right code too", async () => {
    const { email, secret } = await withTwoFactor();
    const wrongs = async (address: string) => {
      const pending = await challenge(email, address);
      for (let guess = 0; guess < 5; guess += 1) {
        await expect(post("sign-in/code", { code: "000000" }, pending, address)).rejects.toMatchObject({
          code: "auth.code_wrong",
        });
      }
      return pending;
    };
    const pending = await wrongs("198.51.100.1");
    await expect(post("sign-in/code", { code: codeOf(secret) }, pending, "198.51.100.1")).rejects.toMatchObject({
      code: "rate_limit.exceeded",
    });
    await expect(post("sign-in/code", { code: codeOf(secret) }, pending, "198.51.100.2")).rejects.toMatchObject({
      code: "auth.sign_in_over",
    });
    await wrongs("198.51.100.3");
    await expect(
      post("sign-in/code", { code: codeOf(secret) }, await challenge(email, "198.51.100.4"), "198.51.100.4"),
    ).rejects.toMatchObject({ code: "rate_limit.exceeded", status: 429 });
  });

  it("does not open the second step without the first", async () => {
    const { secret } = await withTwoFactor();
    await expect(post("sign-in/code", { code: codeOf(secret) })).rejects.toMatchObject({ code: "auth.sign_in_over" });
  });

  it("is no second step of a session that is open: its cookie neither guesses nor turns anything on", async () => {
    const on = await withTwoFactor();
    await expect(post("sign-in/code", { code: codeOf(on.secret) }, on.cookie)).rejects.toMatchObject({
      code: "auth.sign_in_over",
    });
    const begun = await signedIn();
    const { secret } = await startTwoFactor(auth, await callerOf(begun.cookie), PASSWORD);
    await expect(post("sign-in/code", { code: codeOf(secret) }, begun.cookie)).rejects.toMatchObject({
      code: "auth.sign_in_over",
    });
    expect((await callerOf(begun.cookie)).operator.twoFactor).toBe(false);
    // Somebody else signs in where a session is open: the code is asked of who gave the password.
    const both = `${begun.cookie}; ${await challenge(on.email)}`;
    const answer = await post("sign-in/code", { code: codeOf(on.secret) }, both);
    expect((await callerOf(cookieOf(answer.headers))).operator.email).toBe(on.email);
  });

  it("is not confirmed again when it is on: a session may not guess the code there", async () => {
    const { cookie, secret } = await withTwoFactor();
    await expect(confirmTwoFactor(auth, await callerOf(cookie), codeOf(secret))).rejects.toMatchObject({
      code: "auth.two_factor_on",
      status: 409,
    });
  });

  it("goes off by password and code together, and is not set up over", async () => {
    const { cookie, secret, email } = await withTwoFactor();
    const caller = await callerOf(cookie);
    await expect(startTwoFactor(auth, caller, PASSWORD)).rejects.toMatchObject({ code: "auth.two_factor_on" });
    for (const proof of [
      { password: "wrong password", code: codeOf(secret) },
      { password: PASSWORD, code: "000000" },
    ]) {
      await expect(stopTwoFactor(auth, caller, proof)).rejects.toMatchObject({ code: "auth.confirmation_failed" });
    }
    const headers = await stopTwoFactor(auth, caller, { password: PASSWORD, code: codeOf(secret) });
    expect((await callerOf(cookieOf(headers, cookie))).operator.twoFactor).toBe(false);
    expect((await post("sign-in/email", { email, password: PASSWORD })).status).toBe(204);
  });

  it("is taken off from the command line for somebody who lost everything", async () => {
    const { cookie, email } = await withTwoFactor();
    expect(await removeSecondFactor(test.db, email.toUpperCase())).toBe(true);
    expect(await readOperator(auth, new Headers({ cookie }))).toBeUndefined();
    expect((await post("sign-in/email", { email, password: PASSWORD })).status).toBe(204);
    expect(await removeSecondFactor(test.db, email)).toBe(false);
    expect(await removeSecondFactor(test.db, "nobody@example.com")).toBeUndefined();
  });
});

describe("ACCESS-5 step-up", () => {
  const age = (sessionId: string) =>
    test.db.pool.query({
      text: "update onceboard.sessions set confirmed_at = clock_timestamp() - interval '10 minutes 1 second' where id = $1",
      values: [sessionId],
    });

  it("is fresh after signing in, not ten minutes later, and again after the password or the code", async () => {
    const { cookie, secret, backupCodes } = await withTwoFactor();
    for (const proof of [{ password: PASSWORD }, { code: codeOf(secret) }, { code: backupCodes[3] }]) {
      const caller = await callerOf(cookie);
      expect(caller.operator.confirmation.fresh).toBe(true);
      await age(caller.operator.sessionId);
      expect((await callerOf(cookie)).operator.confirmation.fresh).toBe(false);
      await confirmPerson(auth, caller, proof);
    }
    expect((await callerOf(cookie)).operator.confirmation.fresh).toBe(true);
  });

  it("is refused by anything else, and stops after five tries", async () => {
    const { cookie } = await signedIn();
    const caller = await callerOf(cookie);
    await age(caller.operator.sessionId);
    for (const proof of [{}, { password: "wrong password" }, { code: "000000" }, { code: "" }, { password: "" }]) {
      await expect(confirmPerson(auth, caller, proof)).rejects.toMatchObject({ code: "auth.confirmation_failed" });
    }
    await expect(confirmPerson(auth, caller, { password: PASSWORD })).rejects.toMatchObject({
      code: "rate_limit.exceeded",
    });
    expect((await callerOf(cookie)).operator.confirmation).toEqual({ fresh: false, by: ["password"] });
  });

  it("takes a code of the authenticator once, also one that signed in", async () => {
    const { cookie, secret, email } = await withTwoFactor();
    const code = codeOf(secret);
    await confirmPerson(auth, await callerOf(cookie), { code });
    const refused = { code: "auth.confirmation_failed", status: 403 };
    await expect(confirmPerson(auth, await callerOf(cookie), { code })).rejects.toMatchObject(refused);
    await expect(post("sign-in/code", { code }, await challenge(email))).rejects.toMatchObject({
      code: "auth.code_wrong",
    });
    const other = await withTwoFactor();
    const next = codeOf(other.secret);
    const answer = await post("sign-in/code", { code: next }, await challenge(other.email));
    await expect(confirmPerson(auth, await callerOf(cookieOf(answer.headers)), { code: next })).rejects.toMatchObject(
      refused,
    );
  });

  it("stops whoever holds a session after ten tries, from however many addresses and at once", async () => {
    const { cookie } = await withTwoFactor();
    const caller = await callerOf(cookie);
    const tries = await Promise.allSettled(
      Array.from({ length: 14 }, (_, index) =>
        confirmPerson(auth, { ...caller, address: `203.0.113.${String(index)}` }, { code: "000000" }),
      ),
    );
    const codes = tries.map((one) => (one.status === "rejected" ? (one.reason as { code?: string }).code : "in"));
    expect(codes.filter((code) => code === "auth.confirmation_failed")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limit.exceeded")).toHaveLength(4);
    await expect(
      confirmPerson(auth, { ...caller, address: "203.0.113.200" }, { password: PASSWORD }),
    ).rejects.toMatchObject({ code: "rate_limit.exceeded" });
  });
});
