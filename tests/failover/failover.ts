import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { askServer } from "@/db/testing/ask-server";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { createTestDatabase } from "@/db/testing/test-database";
import type { Say } from "../crash/judge";
import { startProvider, type CrashProvider } from "../crash/provider";
import { startCluster, type Cluster } from "./cluster";
import { sayRestored, startProcesses } from "./deployment";
import { askOnce, isDone, lastOutcome, openFailoverShop, type Purchase, type FailoverShop } from "./shop";

/** How the standby follows, and what is done after it took over. */
export type FailoverKind = "synchronous" | "asynchronous" | "asynchronous, without the step";

export interface FailoverOptions {
  readonly kind: FailoverKind;
  /** Answered purchases before the failover, and of those that the standby never saw. */
  readonly purchases: number;
}

const TENANT = "shop";
const LIMIT_MS = 240_000;
const POLL_MS = 100;

interface World {
  readonly cluster: Cluster;
  readonly provider: CrashProvider;
  readonly shop: FailoverShop;
  readonly apiKey: string;
  /** On the standby, as the login of the processes and as the owner. */
  readonly env: NodeJS.ProcessEnv;
  readonly ownerUrl: string;
}

/** Kills the primary under load, promotes the standby as docs/runbooks/failover.md says, and looks what became of every purchase. */
export async function runFailover({ kind, purchases }: FailoverOptions, say: Say): Promise<readonly string[]> {
  const closers: (() => Promise<void>)[] = [];
  try {
    const cluster = await startCluster({ synchronous: kind === "synchronous" });
    closers.push(() => cluster.stop());
    const provider = await startProvider();
    closers.push(() => provider.close());
    const test = await createTestDatabase({ server: cluster.url });
    closers.push(() => test.db.close());
    const { key: apiKey } = await createApiKey(test.db, { tenant: TENANT, name: "till", scopes: ["payments"] });
    const env = environmentOf(provider, test.url);
    const before = await startProcesses(env);
    closers.push(() => before.stop());
    await cluster.caughtUp();

    const shop = openFailoverShop(apiKey, before.port);
    await reached(shop, purchases);
    if (kind !== "synchronous") {
      await cluster.caughtUp();
      await cluster.part();
    }
    await reached(shop, shop.told().length + purchases);
    await cluster.killPrimary();
    await before.stop();
    say(`  ${kind}: ${String(shop.told().length)} purchases answered before the primary was killed`);

    await cluster.promote();
    const ownerUrl = onPort(test.ownerUrl, cluster.standbyPort);
    const moved = { ...env, DATABASE_URL: onPort(test.url, cluster.standbyPort) };
    const world: World = { cluster, provider, shop, apiKey, env: moved, ownerUrl };
    if (kind === "asynchronous") {
      const printed = sayRestored({ ...moved, MIGRATE_DATABASE_URL: ownerUrl });
      for (const line of printed.trim().split("\n")) say(`    ${line}`);
    }
    const after = await startProcesses(moved);
    closers.push(() => after.stop());
    const answered = shop.told();
    shop.close();
    shop.useApi(after.port);
    await shop.ended();
    return await problemsOf(world, kind, answered, after.port, say);
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined);
  }
}

/** Every caller who had an answer asks once more under its key; the provider's ledger counts what was done. */
async function problemsOf(
  { provider, shop, apiKey, ownerUrl }: World,
  kind: FailoverKind,
  answered: readonly Purchase[],
  port: number,
  say: Say,
): Promise<readonly string[]> {
  const known = await keysOn(ownerUrl);
  const lost = answered.filter(({ key }) => !known.has(key));
  for (const purchase of shop.purchases.filter(isDone)) purchase.heard.push(await askOnce(port, apiKey, purchase));
  await settled(ownerUrl);
  const charges = new Map<number, number>();
  for (const { amountMinor } of await provider.ledger(TENANT))
    charges.set(Number(amountMinor), (charges.get(Number(amountMinor)) ?? 0) + 1);
  const twice = shop.purchases.filter(({ amountMinor }) => (charges.get(amountMinor) ?? 0) > 1);
  const outcomes = new Map<string, number>();
  for (const purchase of shop.purchases)
    outcomes.set(lastOutcome(purchase), (outcomes.get(lastOutcome(purchase)) ?? 0) + 1);
  const counts = [...outcomes].map(([outcome, count]) => `${String(count)} ${outcome}`).join(", ");
  say(
    `  ${kind}: ${String(lost.length)} answered purchases are not on the standby; charged twice: ${String(twice.length)}; asked again: ${counts}`,
  );
  if (kind === "asynchronous, without the step")
    return twice.length > 0 ? [] : ["without the step nothing was charged twice, so this run shows nothing"];
  const problems = twice.map(({ key }) => `${key} was charged twice`);
  if (kind === "synchronous") {
    problems.push(...lost.map(({ key }) => `${key} was answered and is lost`));
    problems.push(
      ...shop.purchases
        .filter((each) => lastOutcome(each) !== "replayed" && lastOutcome(each) !== "executed")
        .map((each) => `${each.key} ended with ${lastOutcome(each)}`),
    );
    return problems;
  }
  if (lost.length === 0) problems.push("nothing was lost, so this run shows nothing");
  problems.push(
    ...lost
      .filter((each) => lastOutcome(each) !== "expired")
      .map((each) => `${each.key} is lost, and its key ended with ${lastOutcome(each)}`),
  );
  // What the runbook tells to compare: the provider's list names every one of them.
  problems.push(
    ...lost
      .filter(({ amountMinor }) => charges.get(amountMinor) !== 1)
      .map(({ key }) => `the provider does not name ${key}`),
  );
  // One of which the standby has the claim alone waits for a person; nobody carries it out again.
  const kept = answered.filter(({ key }) => known.has(key));
  problems.push(
    ...kept
      .filter((each) => !["replayed", "unknown"].includes(lastOutcome(each)))
      .map((each) => `${each.key} is on the standby, and ended with ${lastOutcome(each)}`),
  );
  return problems;
}

function environmentOf(provider: CrashProvider, databaseUrl: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    SANDBOX_PORT: String(provider.port),
    LEASE_SECONDS: "5",
    PROVIDER_TIMEOUT_MS: "2000",
    WORKER_INTERVAL_MS: "200",
    LOG_LEVEL: "silent",
    NO_COLOR: "1",
  };
}

function onPort(url: string, port: number): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}

async function reached(shop: FailoverShop, count: number): Promise<void> {
  const last = performance.now() + LIMIT_MS;
  while (shop.told().length < count) {
    if (performance.now() > last)
      throw new Error(`only ${String(shop.told().length)} of ${String(count)} purchases were answered`);
    await delay(POLL_MS);
  }
}

const query = <Row extends object>(url: string, text: string): Promise<Row[]> => askServer<Row>(url, text, [TENANT]);

async function keysOn(url: string): Promise<ReadonlySet<string>> {
  const text = "select key from onceboard.idempotency_requests where tenant_id = $1";
  return new Set((await query<{ key: string }>(url, text)).map(({ key }) => key));
}

/** What a person has to look at stays open (docs/runbooks/restore.md); the rest is settled by the worker. */
async function settled(url: string): Promise<void> {
  const text = `select from onceboard.idempotency_open o where o.tenant_id = $1 and exists (
    select from onceboard.provider_requests p where p.operation_id = o.operation_id)`;
  const last = performance.now() + LIMIT_MS;
  while ((await query(url, text)).length > 0) {
    if (performance.now() > last) throw new Error("operations that their provider can be asked for stay open");
    await delay(POLL_MS);
  }
}
