import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { WireProfile } from "@/domain/access/permission";
import { openHost, type TestHost, type HostName } from "./host";
import { payment, tillOf, type Till } from "./till";
import type { CheckedAnswer } from "./contract";

/** Made in the year 2020: older than anything that is kept. */
const ANCIENT = "016f5e66-e800-7000-8000-";

/** What one caller was told, and what the test knows besides. */
export interface Seen {
  readonly answer: CheckedAnswer;
  /** The answer that the key got first, where this is a later one. */
  readonly first?: CheckedAnswer | undefined;
  readonly key?: string | undefined;
}

export interface WireStage {
  readonly host: TestHost;
  readonly profile: WireProfile;
  readonly till: Till;
  close(): Promise<void>;
}

/** @returns a host and a client whose API key has the profile. */
export async function openStage(name: HostName, profile: WireProfile): Promise<WireStage> {
  const host = await openHost(name);
  const till = tillOf(host, await host.key(["payments", "accounts"], { profile }));
  return { host, profile, till, close: () => host.close() };
}

const IN_PROCESS: readonly string[] = ["rate_limit", "database_away"];
export type WireOutcome = keyof typeof OUTCOMES;

/** @returns the outcomes that this host can show: limits and the way to the database are its own only in process. */
export function outcomesOf(name: HostName): WireOutcome[] {
  const all = Object.keys(OUTCOMES) as WireOutcome[];
  return name === "next" ? all.filter((outcome) => !IN_PROCESS.includes(outcome)) : all;
}

/** Every outcome that a caller of a keyed route can meet, made to happen on the real server. */
export const OUTCOMES = {
  async first({ till }) {
    const key = randomUUID();
    return { answer: await till.post("/payments", payment(), { key }), key };
  },
  async replay({ till }) {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    return { first, answer: await till.post("/payments", body, { key }), key };
  },
  async replay_by_reference(stage) {
    const till = await policyTill(stage, "accounts.create", { replay: "reference" });
    const key = randomUUID();
    const body = { accountId: `acc_${randomUUID()}`, currency: "EUR" };
    const first = await till.post("/accounts", body, { key });
    return { first, answer: await till.post("/accounts", body, { key }), key };
  },
  async minimal({ till }) {
    const key = randomUUID();
    const headers = [["prefer", "return=minimal"]] as const;
    return { answer: await till.post("/payments", payment(), { key, headers }), key };
  },
  async refused({ till }) {
    const key = randomUUID();
    return { answer: await till.post("/payments", payment({ amount: "12.51" }), { key }), key };
  },
  async refused_again({ till }) {
    const key = randomUUID();
    const body = payment({ amount: "12.51" });
    const first = await till.post("/payments", body, { key });
    return { first, answer: await till.post("/payments", body, { key }), key };
  },
  async duplicate_reference({ till }) {
    const body = payment();
    const first = await till.post("/payments", body);
    const key = randomUUID();
    return { first, answer: await till.post("/payments", body, { key }), key };
  },
  async conflict({ till }) {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    return { first, answer: await till.post("/payments", { ...body, amount: "100.07" }, { key }), key };
  },
  async foreign_conflict({ host, till, profile }) {
    const key = randomUUID();
    const body = payment();
    await till.post("/payments", body, { key });
    const other = tillOf(host, await host.key(["payments"], { name: "other-till", profile }));
    return { answer: await other.post("/payments", body, { key }), key };
  },
  async in_flight({ host, till }) {
    return whileRunning(host, till);
  },
  async accepted(stage) {
    return whileRunning(stage.host, await policyTill(stage, "payments.create", { inFlight: "accepted" }));
  },
  async provider_timeout({ host, till }) {
    const key = randomUUID();
    await host.faults({ timeout_after_accept: 1, lookup_down: 1 });
    const answer = await till.post("/payments", payment(), { key, headers: [["x-request-timeout", "1500"]] });
    await host.faults({});
    return { answer, key };
  },
  async unknown({ host, till }) {
    const key = randomUUID();
    const body = payment();
    await host.faults({ timeout_after_accept: 1, lookup_down: 1 });
    const first = await till.post("/payments", body, { key, headers: [["x-request-timeout", "1500"]] });
    const answer = await till.post("/payments", body, { key });
    await host.faults({});
    return { first, answer, key };
  },
  async provider_away({ host, till }) {
    const key = randomUUID();
    await host.faults({ rate_limit: 1 });
    const answer = await till.post("/payments", payment(), { key });
    await host.faults({});
    return { answer, key };
  },
  async expired({ host, till }) {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    await host.rows(
      "update onceboard.idempotency_requests set expires_at = clock_timestamp() where operation_id = $1",
      first.headers["operation-id"],
    );
    return { first, answer: await till.post("/payments", body, { key }), key };
  },
  async expired_long_ago({ till }) {
    const key = ANCIENT + randomUUID().slice(-12);
    return { answer: await till.post("/payments", payment(), { key }), key };
  },
  async purged({ host, till }) {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    await host.rows(
      "delete from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response'",
      first.headers["operation-id"],
    );
    return { first, answer: await till.post("/payments", body, { key }), key };
  },
  async too_large({ host, till }) {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    await host.rows(
      `with kept as (delete from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response')
       update onceboard.idempotency_requests set replay = 'none' where operation_id = $1`,
      first.headers["operation-id"],
    );
    return { first, answer: await till.post("/payments", body, { key }), key };
  },
  async exhausted({ host, till }) {
    const key = randomUUID();
    const body = payment();
    await host.faults({ rate_limit: 1 });
    const first = await till.post("/payments", body, { key });
    await host.faults({});
    await host.rows(
      "update onceboard.idempotency_requests set attempts = 25 where operation_id = $1",
      first.headers["operation-id"],
    );
    return { first, answer: await till.post("/payments", body, { key }), key };
  },
  async key_missing({ till }) {
    return { answer: await till.post("/payments", payment(), { key: null }) };
  },
  async key_invalid({ till }) {
    return { answer: await till.post("/payments", payment(), { key: "two words" }) };
  },
  async malformed({ host, till }) {
    const key = randomUUID();
    const headers = [
      ["authorization", `Bearer ${till.apiKey}`],
      ["content-type", "application/json"],
      ["idempotency-key", key],
    ] as const;
    return { answer: await host.call({ method: "POST", path: "/api/v1/payments", headers, body: '{"amount":' }) };
  },
  async validation({ till }) {
    const key = randomUUID();
    return { answer: await till.post("/payments", payment({ accountId: "two words", currency: "eur" }), { key }), key };
  },
  async not_found({ till }) {
    const key = randomUUID();
    return { answer: await till.post("/refunds", { paymentId: randomUUID(), amount: "1.00" }, { key }), key };
  },
  async unauthenticated({ host }) {
    return { answer: await tillOf(host, `ob_${"0".repeat(20)}_${"A".repeat(43)}`).post("/payments", payment()) };
  },
  async forbidden({ host, profile }) {
    const apiKey = await host.key(["events"], { name: "listener", profile });
    return { answer: await tillOf(host, apiKey).post("/payments", payment()) };
  },
  async rate_limit({ host, profile }) {
    return within(host, { limits: { calls: { perSecond: 0.001, burst: 1 } } }, profile, async (till) => {
      await till.get("/operations/none");
      return { answer: await till.post("/payments", payment()) };
    });
  },
  async database_away({ host, profile }) {
    return within(host, { relayed: true }, profile, async (till, own) => {
      await till.post("/payments", payment());
      await own.cutDatabase();
      const key = randomUUID();
      return { answer: await till.post("/payments", payment(), { key }), key };
    });
  },
} as const satisfies Record<string, (stage: WireStage) => Promise<Seen>>;

/** A host of the same kind for one outcome. */
async function within(
  { name }: TestHost,
  options: Parameters<typeof openHost>[1],
  profile: WireProfile,
  see: (till: Till, own: TestHost) => Promise<Seen>,
): Promise<Seen> {
  const own = await openHost(name, options);
  try {
    return await see(tillOf(own, await own.key(["payments"], { profile })), own);
  } finally {
    await own.close();
  }
}

async function whileRunning(host: TestHost, till: Till): Promise<Seen> {
  const key = randomUUID();
  const body = payment();
  await host.faults({ slow_ms: 700 });
  const running = till.post("/payments", body, { key });
  const open = () => host.rows("select 1 from onceboard.idempotency_open where key = $1", key);
  await expect.poll(async () => (await open()).length).toBe(1);
  const answer = await till.post("/payments", body, { key });
  await host.faults({});
  return { answer, first: await running, key };
}

let tenants = 0;

/** @returns a client of a tenant of its own, which decided otherwise about one operation before anything asked. */
async function policyTill(
  { host, profile }: WireStage,
  operation: string,
  overrides: Readonly<Record<string, string>>,
): Promise<Till> {
  const tenant = `${host.tenant}-${String((tenants += 1))}`;
  const apiKey = await host.key(["payments", "accounts"], { tenant, profile });
  await host.rows(
    "insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ($1, $2, $3, 'test')",
    tenant,
    operation,
    JSON.stringify(overrides),
  );
  return tillOf(host, apiKey);
}
