import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { hostRequests } from "@/cli/startup/host";
import { listen } from "@/cli/startup/listen";
import { createHttpApp } from "@/http/app";
import { openHost, type TestHost } from "@/http/testing/host";
import { requireInProcess } from "@/http/testing/in-process";
import { routesOf, type ProbeTarget } from "../cross-tenant/routes";
import { callersOf, openWorld, type Caller } from "../cross-tenant/world";

/** An answer that says that the server fell over a request. */
export interface Fault {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** What the body says, or its beginning. */
  readonly text: string;
}

/** A server as `onceboard api` hosts it, with two tenants that have one of everything. */
export interface FuzzTarget {
  readonly host: TestHost;
  readonly callers: readonly Caller[];
  readonly authority: string;
  readonly port: number;
  readonly targets: readonly ProbeTarget[];
  /** Every answer with a status from 500 on that is no refusal for want of time or room. */
  readonly faults: readonly Fault[];
  /** Requests that reached the app, and answers that its contract allows while it is overloaded. */
  readonly seen: { requests: number; overloaded: number };
  /** Whoever asked for too much may have ended a session or a key of ours: then there are new ones. @throws Error when those get in nowhere */
  keepCallers(): Promise<void>;
  /** Keys of requests that left an operation. */
  keysUsed(): Promise<readonly string[]>;
  /** Rows by table. */
  rows(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Nothing here is about limits: they would answer most of it. */
const UNLIMITED = { perSecond: 1_000_000, burst: 10_000_000 };
/** What the contract answers while there is no room or no time, with Retry-After (http/docs/errors.ts). */
const OVERLOADED = new Set(["transient.busy"]);
const WORKER_HEALTH = "/api/health/worker";
/** Files, of which a process makes a few at a time. */
const EXPORT = /^\/api\/v1\/admin\/exports\//;
const TEXT_KEPT = 300;

/** Routes that ask nobody who they are; those of the sign-in are behind a name for all of them. */
const OPEN: readonly ProbeTarget[] = [
  ...["/api/health/live", "/api/health/ready", WORKER_HEALTH, "/api/metrics", "/api/v1/openapi.json", "/api/v1/docs"],
  ...["/api/v1/proof-keys", "/api/auth/get-session", "/api/auth/callback/oidc", "/api/auth/error"],
].map((path) => ({ method: "GET", path, query: ["code", "state", "error"], body: undefined, kind: "call" }) as const);
const TEXT = { type: "string" };
const SIGN_IN: readonly ProbeTarget[] = ["sign-in/email", "two-factor/verify-totp", "sign-in/oauth2"].map((path) => ({
  ...{ method: "POST", path: `/api/auth/${path}`, query: [], kind: "call" },
  body: { type: "object", properties: { email: TEXT, password: TEXT, code: TEXT, providerId: TEXT } },
}));

export async function openTarget(): Promise<FuzzTarget> {
  const host = await openHost("hono", { limits: { admin: UNLIMITED, calls: UNLIMITED, events: UNLIMITED } });
  const world = await openWorld(host);
  const { deps } = requireInProcess(host);
  const limits = { admin: UNLIMITED, calls: UNLIMITED, events: UNLIMITED };
  const app = createHttpApp({ ...deps, limits });
  const callers = { now: world.callers };
  const faults: Fault[] = [];
  const seen = { requests: 0, overloaded: 0 };
  const answer = async (request: Request): Promise<Response> => {
    seen.requests += 1;
    const response = await app.fetch(request);
    if (response.status < 500) return response;
    const text = await response.clone().text();
    if (isOverloaded(response, text, new URL(request.url).pathname)) seen.overloaded += 1;
    else
      faults.push({
        method: request.method,
        url: request.url,
        status: response.status,
        text: text.slice(0, TEXT_KEPT),
      });
    return response;
  };
  const server = hostRequests({ basePath: "", api: getRequestListener(answer) });
  await listen(server, { port: 0, host: "127.0.0.1" });
  return {
    host,
    authority: new URL(host.url).host,
    get callers() {
      return callers.now;
    },
    port: (server.address() as AddressInfo).port,
    targets: [...routesOf(deps), ...OPEN, ...SIGN_IN],
    faults,
    seen,
    async keepCallers() {
      if (await allGetIn(host, callers.now)) return;
      callers.now = await callersOf(host, world.own);
      if (!(await allGetIn(host, callers.now))) throw new Error("nobody is let in any more");
    },
    async keysUsed() {
      const used = await host.rows<{ key: string }>(
        "select key from onceboard.idempotency_requests where key like '%fuzz-%' order by 1",
      );
      return used.map(({ key }) => key);
    },
    async rows() {
      await deps.answers.flush();
      return countRows(host);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await host.close();
    },
  };
}

async function allGetIn(host: TestHost, callers: readonly Caller[]): Promise<boolean> {
  for (const { kind, name, headers } of callers) {
    const path = kind === "key" && !name.includes("admin") ? "/api/v1/payments/none" : "/api/v1/admin/settings";
    const { status } = await host.call({ method: "GET", path, headers });
    if (status === 401 || status === 403) return false;
  }
  return true;
}

function isOverloaded({ status, headers }: Response, text: string, path: string): boolean {
  // No worker runs here, and its health says so.
  if (path === WORKER_HEALTH) return true;
  const code = /"code":"([a-z_.]+)"/.exec(text)?.[1] ?? "";
  // The answer to HEAD has no body that says it.
  if (status === 503 && text === "" && EXPORT.test(path) && headers.has("retry-after")) return true;
  return status === 503 && headers.has("retry-after") && OVERLOADED.has(code);
}

/**
 * What a refused request may leave: how often a client was refused for what, by minute (docs/CLIENTS.md).
 */
const OF_REFUSALS = /\.(?:metric_refusals|verifications)$/;

async function countRows(host: TestHost): Promise<ReadonlyMap<string, number>> {
  const tables = await host.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('onceboard', 'payments') and table_type = 'BASE TABLE'`,
  );
  const names = tables.map(({ name }) => name).filter((name) => !OF_REFUSALS.test(name));
  const counts = names.map((name) => `select '${name}' as name, count(*)::integer as count from ${name}`);
  const rows = await host.rows<{ name: string; count: number }>(counts.join(" union all "));
  return new Map(rows.map(({ name, count }) => [name, count]));
}
