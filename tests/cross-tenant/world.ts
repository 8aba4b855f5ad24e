import { randomBytes, randomUUID } from "node:crypto";
import { upsertOperator } from "@/auth/operators";
import { createAuth } from "@/auth/sessions";
import { operationFactory } from "@/db/testing/factories/operation-factory";
import type { Role } from "@/domain/idempotency/states";
import type { TestHost } from "@/http/testing/host";
import { requireInProcess } from "@/http/testing/in-process";
import { tillOf, type Till } from "@/http/testing/till";

const PASSWORD = "correct horse battery";

/** Who probes, and with what a request of theirs says so. */
export interface Caller {
  readonly name: string;
  readonly kind: "session" | "key";
  readonly headers: readonly (readonly [string, string])[];
}

/** Two tenants with one of everything each. Everybody of `callers` is let into `own` alone. */
export interface World {
  readonly host: TestHost;
  readonly own: string;
  readonly other: string;
  readonly callers: readonly Caller[];
  /** Sees both: with it a probe must find what it looks for. */
  readonly both: Caller;
}

/** A name that nothing else has, so that it is known wherever it turns up. */
const mark = (what: string): string => `${what}-${randomBytes(6).toString("hex")}`;

export async function openWorld(host: TestHost): Promise<World> {
  const [own, other] = [host.tenant, host.otherTenant];
  for (const tenant of [own, other]) await fill(host, tenant);
  return {
    host,
    own,
    other,
    callers: await callersOf(host, own),
    both: await sessionOf(host, "admin", undefined, "an admin of all tenants"),
  };
}

async function sessionOf(host: TestHost, role: Role, tenant: string | undefined, name: string): Promise<Caller> {
  const cookie = await signIn(host, role, tenant);
  return {
    name,
    kind: "session",
    headers: [
      ["cookie", cookie],
      ["origin", host.url],
    ],
  };
}

/** People and keys that are let into one tenant. */
export async function callersOf(host: TestHost, own: string): Promise<readonly Caller[]> {
  const key = async (...scopes: readonly string[]): Promise<Caller> => ({
    name: `a key for ${scopes.join(" and ")}`,
    kind: "key",
    headers: [["authorization", `Bearer ${await host.key(scopes, { tenant: own, name: mark("prober") })}`]],
  });
  return [
    await sessionOf(host, "admin", own, "an admin of one tenant"),
    await sessionOf(host, "approver", own, "an approver of one tenant"),
    await key("admin"),
    await key("payments", "accounts", "events"),
  ];
}

async function signIn(host: TestHost, role: Role, tenant: string | undefined): Promise<string> {
  const email = `${mark(role)}@example.com`;
  const auth = createAuth({ db: host.db, secret: host.secret, publicUrl: host.url });
  await upsertOperator(host.db, auth, { email, password: PASSWORD, role, tenant });
  const entered = await host.call({
    method: "POST",
    path: "/api/auth/sign-in/email",
    headers: [
      ["content-type", "application/json"],
      ["origin", host.url],
    ],
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const cookie = (entered.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
  if (!cookie.includes("session_token")) throw new Error("nobody was signed in");
  return cookie;
}

/** One of everything that pages and routes of a tenant show, each under a name of its own. */
async function fill(host: TestHost, tenant: string): Promise<void> {
  const client = mark("till");
  const admin = tillOf(host, await host.key(["admin"], { tenant, name: mark("boss") }));
  await host.key(["payments"], { tenant, name: client });
  const { keyring } = requireInProcess(host).deps;
  const make = operationFactory({
    q: host.db.pool,
    tenantId: tenant,
    seal: (plain, subject, kind) => keyring.seal(plain, subject, kind),
  });
  const named = () => ({ client, key: randomUUID(), reference: mark("order"), account: mark("account") });
  await make.completed({ ...named(), replays: 2 });
  await make.inProgress(named());
  await make.stale(named());
  await make.unknown({ ...named(), minutes: 9, webhook: "succeeded" });
  await make.failedReplayable(named());
  await make.failedRetryable(named());
  await make.expired(named());
  await make.withConflict(named());
  await make.outboxPending(named());
  await make.outboxDead(named());
  await make.inboxDuplicate(named());
  await fillConsole(admin, tenant);
  await upsertOperator(host.db, createAuth({ db: host.db, secret: host.secret, publicUrl: host.url }), {
    ...{ email: `${mark("colleague")}@example.com`, password: PASSWORD, role: "viewer", tenant },
    name: mark("Colleague"),
  });
}

/** What only the admin API makes. @throws Error when a route refuses: the world would hold less than it says */
async function fillConsole(admin: Till, tenant: string): Promise<void> {
  const reason = mark("because");
  const post = async (path: string, body: unknown): Promise<void> => {
    const { status, text } = await admin.post(`/admin${path}`, body);
    if (status >= 300) throw new Error(`${tenant} has no ${path}: ${text}`);
  };
  await post("/views", { page: "operations", name: mark("view"), search: "state=STALE" });
  await post("/clients", { name: mark("client"), contact: `${mark("ops")}@example.com`, scopes: ["payments"], reason });
  await post("/webhook-endpoints", {
    url: `https://example.com/${mark("hook")}`,
    types: [],
    description: mark("hook"),
    reason,
  });
  await post("/event-sources", { source: mark("source"), reason });
  await post("/topics/payments/pause", { expectedVersion: 0, reason });
  await post("/policies/payments.create", { overrides: { bodyTtlHours: 48 }, expectedVersion: 0, reason });
  await post("/deploys", { service: mark("service"), version: mark("v"), reason });
  await post("/plans", { kind: "requeue_dead_letters", filter: {}, reason });
  await post("/invariants/check", { reason });
}
