import { readFileSync } from "node:fs";
import { expect, test as base, type Cookie, type Page } from "@playwright/test";
import { createDatabase, type Database } from "@/db/client";
import { PASSWORD, PEOPLE, stackFile, type RoleName, type StackInfo } from "./stack-info";

/** What a caller of the API got. */
export interface Called {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly text: string;
}

export interface ApiFixture {
  post(path: string, key: string, body: unknown, options?: { readonly apiKey?: string }): Promise<Called>;
  /** A payment with its own account and reference. */
  pay(key: string, amount?: string): Promise<Called>;
  faults(rates: Readonly<Record<string, number>>): Promise<void>;
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
}

interface Fixtures {
  readonly stack: StackInfo;
  readonly api: ApiFixture;
  /** A person of this role is signed in, through the page the first time, and looks at `next`. */
  readonly signIn: (role: RoleName, next?: string) => Promise<void>;
  /** Fails the test when the page logs an error or breaks its content security policy. */
  readonly noConsoleErrors: undefined;
}

interface WorkerFixtures {
  readonly database: Database;
  /** Cookies of people who signed in before: a password is slow on purpose. */
  readonly sessions: Map<RoleName, readonly Cookie[]>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  database: [
    async ({}, use) => {
      const db = createDatabase({ url: readStack().databaseUrl, max: 2, applicationName: "e2e", role: "owner" });
      await use(db);
      await db.close();
    },
    { scope: "worker" },
  ],
  sessions: [
    async ({}, use) => {
      await use(new Map());
    },
    { scope: "worker" },
  ],
  stack: async ({}, use) => {
    await use(readStack());
  },
  baseURL: async ({ stack }, use) => {
    await use(stack.baseUrl);
  },
  api: async ({ stack, database }, use) => {
    const api = createApi(stack, database);
    await use(api);
    await api.faults({});
  },
  signIn: async ({ page, context, sessions, database }, use) => {
    await use(async (role, next = "/") => {
      const known = sessions.get(role);
      await context.clearCookies();
      if (known !== undefined) {
        await context.addCookies(known);
        // Who signed in for an earlier test may have done so over ten minutes ago.
        await database.pool.query({
          text: `update onceboard.sessions set confirmed_at = clock_timestamp()
                  where user_id = (select id from onceboard.operators where email = $1)`,
          values: [PEOPLE.find((one) => one.role === role)?.email],
        });
        await page.goto(next);
        return;
      }
      await signInAs(page, role, next);
      // Who they are, not which tenant they looked at.
      const cookies = await context.cookies();
      sessions.set(
        role,
        cookies.filter(({ name }) => name !== "ob_tenant"),
      );
    });
  },
  noConsoleErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("console", (message) => {
        // An answer of 4xx is a statement of the API; the browser logs it as an error all the same.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(error.message));
      await use(undefined);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

function readStack(): StackInfo {
  return JSON.parse(readFileSync(stackFile(Number(process.env["TEST_PARALLEL_INDEX"])), "utf8")) as StackInfo;
}

/** Fills in the form and waits for the page behind it. */
export async function signInAs(page: Page, role: RoleName, next = "/"): Promise<void> {
  const person = PEOPLE.find((one) => one.role === role);
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await page.getByLabel("E-mail").fill(person?.email ?? "");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

function createApi(stack: StackInfo, database: Database): ApiFixture {
  const post: ApiFixture["post"] = async (path, key, body, { apiKey = stack.key } = {}) => {
    const response = await fetch(`${stack.baseUrl}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text) as Record<string, unknown>,
    };
  };
  return {
    post,
    pay: (key, amount = "10.00") =>
      post("/payments", key, {
        accountId: "acc_northgate_04",
        amount,
        currency: "EUR",
        merchantReference: `ref-${key}`,
      }),
    async faults(rates) {
      const response = await fetch(`${stack.sandboxUrl}/_control/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(rates),
      });
      expect(response.ok).toBe(true);
    },
    async rows<R>(text: string, ...values: unknown[]) {
      return (await database.pool.query<R & Record<string, unknown>>({ text, values })).rows;
    },
  };
}
