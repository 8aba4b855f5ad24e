import { randomUUID } from "node:crypto";
import type { TestHost } from "./host";
import type { CheckedAnswer } from "./contract";

/** A program that calls, with its API key. */
export interface Till {
  readonly apiKey: string;
  post(path: string, body: unknown, options?: TillPostOptions): Promise<CheckedAnswer>;
  get(path: string): Promise<CheckedAnswer>;
}

export interface TillPostOptions {
  /** Value of Idempotency-Key; `null` leaves it out, a fresh one by default. */
  readonly key?: string | null;
  readonly headers?: readonly (readonly [string, string])[];
}

export async function openTill(
  host: TestHost,
  scopes: readonly string[] = ["payments", "accounts"],
  tenant?: string,
): Promise<Till> {
  const apiKey = await host.key(scopes, tenant === undefined ? {} : { tenant });
  return tillOf(host, apiKey);
}

export function tillOf(host: TestHost, apiKey: string): Till {
  const bearer = ["authorization", `Bearer ${apiKey}`] as const;
  return {
    apiKey,
    post(path, body, { key = randomUUID(), headers = [] } = {}) {
      const lines: (readonly [string, string])[] = [bearer, ["content-type", "application/json"], ...headers];
      if (key !== null) lines.push(["idempotency-key", key]);
      return host.call({ method: "POST", path: `/api/v1${path}`, headers: lines, body: JSON.stringify(body) });
    },
    get: (path) => host.call({ path: `/api/v1${path}`, headers: [bearer] }),
  };
}

/** A payment command that nobody made before. */
export function payment(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { accountId: "acc_1", amount: "10.00", currency: "EUR", merchantReference: `ref-${randomUUID()}`, ...fields };
}

/**
 * Events of answers are written in batches: in process they are written out first, on another server they are left out.
 *
 * @returns how many keys, payments and events there are: what a refusal must not change
 */
export async function footprint(host: TestHost): Promise<Record<string, number>> {
  await host.deps?.answers.flush();
  const [row] = await host.rows<Record<string, number>>(
    `select (select count(*)::int from onceboard.idempotency_requests where tenant_id = any($1)) as requests,
            (select count(*)::int from onceboard.idempotency_open where tenant_id = any($1)) as open,
            (select count(*)::int from onceboard.idempotency_bodies where tenant_id = any($1)) as bodies,
            (select count(*)::int from onceboard.idempotency_events where tenant_id = any($1)) as events,
            (select count(*)::int from payments.payments where tenant_id = any($1)) as payments,
            (select count(*)::int from onceboard.inbox_messages where tenant_id = any($1)) as inbox,
            (select count(*)::int from onceboard.inbox_arrivals where tenant_id = any($1)) as arrivals`,
    [host.tenant, host.otherTenant],
  );
  return host.deps === undefined ? { ...row, events: 0 } : { ...row };
}
