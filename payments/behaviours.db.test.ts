import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claim, type ClaimInput, type ClaimRow } from "@/db/operations/claim";
import { complete } from "@/db/operations/complete";
import { failRetryable, markUnknown } from "@/db/operations/transitions";
import { BEHAVIOURS, type Existing } from "@/domain/idempotency/behaviours";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** Every row of the table of behaviours against the database's own functions. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

const MARK = Buffer.alloc(32, 1);
const DAY_MS = 86_400_000;
const input = (key: string, fingerprint = MARK): ClaimInput => ({
  tenantId: "acme",
  operation: "payments.create",
  key,
  operationId: uuidv7(),
  principal: "till-web",
  fingerprint,
  fingerprintVersion: 1,
  apiVersion: "1",
  accountId: undefined,
  reference: undefined,
  amountMinor: undefined,
  currency: undefined,
  owner: "api-1",
  leaseMs: 30_000,
  ttlSeconds: 86_400,
  metadataDays: 30,
  maxAttempts: 25,
  expired: "reject",
  commandSealed: Buffer.from([0, 123, 125]),
  eventId: uuidv7(),
  requestId: "req",
});
const settled = (row: ClaimRow, state: "COMPLETED" | "FAILED_REPLAYABLE") =>
  complete(env.db.pool, {
    tenantId: "acme",
    operationId: row.operation_id,
    fence: row.fence,
    state,
    status: 201,
    schemaVersion: "1",
    resourceType: undefined,
    resourceId: undefined,
    errorCode: undefined,
    headers: {},
    replay: "stored",
    bodySealed: Buffer.from([0, 123, 125]),
  });
const backdate = (column: string, key: string, table = "idempotency_requests") =>
  env.rows(`update onceboard.${table} set ${column} = clock_timestamp() - interval '1 second' where key = $1`, key);

/** Brings a key into the state that a row of the table begins with. */
const MAKE: Readonly<Record<Existing, (key: string) => Promise<unknown>>> = {
  none: () => Promise.resolve(),
  "forgotten UUIDv7": () => Promise.resolve(),
  IN_PROGRESS: (key) => claim(env.db.pool, input(key)),
  "IN_PROGRESS, stale": async (key) => {
    await claim(env.db.pool, input(key));
    await backdate("locked_until", key, "idempotency_open");
  },
  COMPLETED: async (key) => settled(await claim(env.db.pool, input(key)), "COMPLETED"),
  FAILED_REPLAYABLE: async (key) => settled(await claim(env.db.pool, input(key)), "FAILED_REPLAYABLE"),
  FAILED_RETRYABLE: async (key) => {
    const row = await claim(env.db.pool, input(key));
    await failRetryable(env.db.pool, "acme", row.operation_id, row.fence, "dependency.unavailable");
  },
  UNKNOWN_REQUIRES_RECOVERY: async (key) => {
    const row = await claim(env.db.pool, input(key));
    await markUnknown(env.db.pool, {
      tenantId: "acme",
      operationId: row.operation_id,
      fence: row.fence,
      errorCode: "dependency.timeout",
      finding: undefined,
      checked: false,
      nextCheckMs: 60_000,
    });
  },
  "settled, window over": async (key) => {
    await settled(await claim(env.db.pool, input(key)), "COMPLETED");
    await backdate("expires_at", key);
  },
  EXPIRED: async (key) => {
    await settled(await claim(env.db.pool, input(key)), "COMPLETED");
    await backdate("expires_at", key);
    await env.rows("select onceboard.expire_requests('acme', 100)");
  },
};

describe("STATE-2 a request that meets", () => {
  it.each(BEHAVIOURS)("$existing, same command: $same, is $outcome", async ({ existing, same, outcome }) => {
    const key =
      existing === "forgotten UUIDv7"
        ? uuidv7({ msecs: Date.now() - 40 * DAY_MS })
        : `${existing} ${randomBytes(4).toString("hex")}`;
    await MAKE[existing](key);
    const stored = () =>
      env.rows<Record<string, unknown>>(
        "select fingerprint, state, fence, attempts, operation_id from onceboard.idempotency_requests where key = $1",
        key,
      );
    const before = await stored();
    if (existing !== "none" && existing !== "forgotten UUIDv7") expect(before).toHaveLength(1);
    const row = await claim(env.db.pool, input(key, same ? MARK : Buffer.alloc(32, 2)));
    expect(row.outcome).toBe(outcome);
    const after = await stored();
    // Only a claim changes the record; whatever is told about it leaves it as it was.
    if (outcome === "claimed") expect(after[0]).toMatchObject({ state: "IN_PROGRESS" });
    else expect(after).toEqual(before);
  });
});
