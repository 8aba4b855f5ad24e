import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { setOperatorDisabled } from "@/db/access/operators";
import { removeSecondFactor, upsertOperator } from "./operators";
import { createAuth, type Auth } from "./sessions";
import { SIGN_IN_ATTEMPTS } from "./sign-in/sign-in-limit";
import { accessEntries } from "./testing/access-entries";
import { RECORDED_REFUSALS } from "./sign-in/record-sign-in";

const PUBLIC_URL = "https://ops.example.com";
const PASSWORD = "correct horse battery";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
let test: TestDatabase;
let auth: Auth;
let email: string;
let counter = 0;

beforeAll(async () => {
  test = await createTestDatabase();
  auth = createAuth({ db: test.db, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
});
afterAll(async () => {
  await auth.access.flush();
  await test.drop();
});
beforeEach(async () => {
  counter += 1;
  email = `person-${String(counter)}@example.com`;
  await upsertOperator(test.db, auth, { email, password: PASSWORD, role: "operator", name: "Person" });
});

function post(path: string, body: unknown, address: string | undefined, cookie = ""): Promise<Response> {
  const request = new Request(`${PUBLIC_URL}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: PUBLIC_URL, "user-agent": BROWSER, cookie },
    body: JSON.stringify(body),
  });
  return auth.handler(request, address, "request-1");
}

const signIn = (password = PASSWORD, address = "192.0.2.1", who = email) =>
  post("sign-in/email", { email: who, password }, address);
const refused = (password: string, address?: string, who?: string) =>
  expect(signIn(password, address, who)).rejects.toMatchObject({ status: 401 });

async function entriesOf(action?: string) {
  await auth.access.flush();
  const entries = await accessEntries(test, email);
  return action === undefined ? entries : entries.filter((entry) => entry.action === action);
}

describe("AUDIT-2 the access log", () => {
  it("has who signed in and out, how and from where, in a chain that holds, and no secret", async () => {
    const answer = await signIn();
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    await post("sign-out", {}, "192.0.2.1", cookie);
    const entries = await entriesOf();
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ["operators.create", "system:command line"],
      ["sessions.sign_in", "operator:Person"],
      ["sessions.sign_out", "operator:Person"],
    ]);
    const session = entries[1]?.after?.["session"];
    expect(entries[1]).toMatchObject({
      after: { email, role: "operator", method: "password", device: "Firefox on Linux", address: "192.0.2.1" },
      request_id: "request-1",
    });
    expect(entries[2]?.after).toEqual({ email, session });
    const { rows } = await test.db.pool.query<{ text: string }>({
      text: "select a::text as text from onceboard.audit_entries a",
    });
    const token = decodeURIComponent(cookie.split("=")[1] ?? "").split(".")[0] ?? "?";
    for (const { text } of rows) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(token);
    }
    const chain = await test.db.pool.query({
      text: "select p.broken_at, p.checked_to = p.head as whole from onceboard.verify_audit_part('@access', 1, 1000) p",
    });
    expect(chain.rows).toEqual([{ broken_at: null, whole: true }]);
  });

  it("has the first refusal of a person and the one after which they wait, not each guess, wherever it comes from", async () => {
    const tries = Array.from({ length: 12 }, (_, index) => signIn(`guess ${String(index)}`, "198.51.100.7"));
    await Promise.allSettled(tries);
    const refusals = () => entriesOf("sessions.sign_in_refused");
    expect((await refusals()).map(({ after }) => after?.["refusals"])).toEqual([1, SIGN_IN_ATTEMPTS]);
    expect((await refusals())[0]).toMatchObject({
      actor: "system:sign-in",
      reason: "wrong password",
      after: { email, address: "198.51.100.7", windowMinutes: 15 },
    });
    // Another network is asked anew, and a person's refusals still count as one row of guesses.
    await refused("a guess", "198.51.100.8");
    expect(await refusals()).toHaveLength(2);
    await test.db.pool.query({
      text: "update onceboard.verifications set value = '49' where id like 'refused:%' and value = '6'",
    });
    await refused("a guess", "198.51.100.9");
    await refused("a guess", "198.51.100.10");
    expect((await refusals()).map(({ after }) => after?.["refusals"])).toEqual(RECORDED_REFUSALS.slice(0, 3));
  });

  it("has nothing of an e-mail that nobody has, and says of somebody shut out that they are", async () => {
    const all = async () => (await test.db.pool.query({ text: "select 1 from onceboard.audit_entries" })).rows.length;
    await auth.access.flush();
    const before = await all();
    await refused("a guess", "192.0.2.30", "nobody@example.com");
    await auth.access.flush();
    expect(await all()).toBe(before);
    const { rows } = await test.db.pool.query<{ id: string }>({
      text: "select id from onceboard.operators where email = $1",
      values: [email],
    });
    await setOperatorDisabled(test.db.pool, rows[0]?.id ?? "", true);
    await refused(PASSWORD, "192.0.2.31");
    expect(await entriesOf("sessions.sign_in_refused")).toMatchObject([{ reason: "disabled", after: { refusals: 1 } }]);
  });

  it("lets somebody in while its chain is locked, and has them when it is free", async () => {
    const holder = await test.db.pool.connect();
    try {
      await holder.query({ text: "begin" });
      await holder.query({ text: "select 1 from onceboard.audit_heads where tenant_id = '@access' for update" });
      expect((await signIn()).status).toBe(204);
      expect(await accessEntries(test, email)).toHaveLength(1);
    } finally {
      await holder.query({ text: "rollback" });
      holder.release();
    }
    expect(await entriesOf("sessions.sign_in")).toHaveLength(1);
  });

  it("has what the command line did to a person, with before and after", async () => {
    await upsertOperator(test.db, auth, { email, password: "another password", role: "admin" });
    expect(await removeSecondFactor(test.db, email)).toBe(false);
    await test.db.pool.query({
      text: "update onceboard.operators set two_factor_enabled = true where email = $1",
      values: [email],
    });
    expect(await removeSecondFactor(test.db, email)).toBe(true);
    const entries = await entriesOf();
    expect(entries.slice(1)).toMatchObject([
      {
        action: "operators.change",
        actor: "system:command line",
        before: { email, name: "Person", role: "operator", disabled: false },
        after: { email, name: "Person", role: "admin", disabled: false, password: "given", sessionsEnded: true },
      },
      { action: "operators.reset_two_factor", before: { twoFactor: true }, after: { twoFactor: false } },
    ]);
    expect(JSON.stringify(entries)).not.toContain("another password");
  });
});
