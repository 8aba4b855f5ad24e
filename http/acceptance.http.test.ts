import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { canonicalize } from "@/domain/idempotency/canonical";
import { parseConfig } from "@/domain/config";
import { requireInProcess } from "./testing/in-process";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { footprint, openTill, payment, tillOf, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

/**
 * The acceptance cases of the engine: what goes wrong in practice, and what has to happen then. Twenty-five and a reserve;
 * each runs through the real server, on every host.
 */
const DAY_MS = 86_400_000;
const HELD_SQL = `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint,
  fingerprint_version, api_version, state, body_day, created_at, updated_at, expires_at, purge_after)
  values ($1, 'payments.create', $2, gen_random_uuid(), 'till', 'f', 1, '1', 'IN_PROGRESS', current_date, now(), now(), now(), now())`;

describe.each(HOSTS)("acceptance on %s", (name) => {
  let host: TestHost;
  let till: Till;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
  });
  afterAll(() => host.close());
  afterEach(async () => {
    await host.faults({
      slow_ms: 0,
      rate_limit: 0,
      timeout_before: 0,
      timeout_after_accept: 0,
      lookup_down: 0,
      error_after_accept: 0,
    });
    await host.rows("delete from onceboard.operation_policies where tenant_id = $1", host.tenant);
  });

  const pay = (key: string, body: Record<string, unknown>) => till.post("/payments", body, { key });
  const codeOf = (answer: CheckedAnswer) => answer.json?.["code"];
  const operationOf = (answer: CheckedAnswer) => String(answer.headers["operation-id"]);
  const count = async (table: string, where: string, ...values: unknown[]): Promise<number> =>
    (
      await host.rows<{ n: number }>(
        `select count(*)::int as n from ${table} where tenant_id = $1 and ${where}`,
        host.tenant,
        ...values,
      )
    )[0]?.n ?? -1;
  const recordOf = async (key: string) =>
    (
      await host.rows<{ state: string; fence: number; operation_id: string; attempts: number }>(
        "select state, fence, attempts, operation_id, fingerprint from onceboard.idempotency_requests where tenant_id = $1 and key = $2",
        host.tenant,
        key,
      )
    )[0];
  const paymentsOf = (body: Record<string, unknown>) =>
    count("payments.payments", "merchant_reference = $2", body["merchantReference"]);
  /** What the provider did for a tenant's operation, by the journal: distinct names of effects that it knows of. */
  const providerKeys = (operationId: string) =>
    host.rows<{ provider_key: string }>(
      "select distinct provider_key from onceboard.provider_requests where tenant_id = $1 and operation_id = $2",
      host.tenant,
      operationId,
    );
  /** As a process leaves it that died with the request sent: in progress, and its lease is over. */
  const abandon = async (key: string, stage = "PROVIDER_REQUEST_SENT") => {
    await host.rows(
      "update onceboard.idempotency_requests set state = 'IN_PROGRESS', error_code = null, completed_at = null where tenant_id = $1 and key = $2",
      host.tenant,
      key,
    );
    await host.rows(
      `update onceboard.idempotency_open set owner = 'api-dead', stage = $3, unknown_since = null, next_check_at = null,
         locked_until = clock_timestamp() - interval '1 second' where tenant_id = $1 and key = $2`,
      host.tenant,
      key,
      stage,
    );
  };
  /** A payment that the provider took while its answer was lost. */
  const lostAnswer = async (key: string, body: Record<string, unknown>) => {
    await host.faults({ timeout_after_accept: 1 });
    const answer = await pay(key, body);
    await host.faults({ timeout_after_accept: 0 });
    expect([answer.status, codeOf(answer)]).toEqual([504, "dependency.timeout"]);
    return operationOf(answer);
  };
  const decide = async (overrides: Record<string, unknown>) => {
    await host.rows(
      `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ($1, 'payments.create', $2::jsonb, 'test')
       on conflict (tenant_id, operation) do update set overrides = excluded.overrides`,
      host.tenant,
      JSON.stringify(overrides),
    );
  };

  it("KEY-2 1 · fifty first requests at once: one executes, the others are told to come again or get its answer", async () => {
    const key = randomUUID();
    const body = payment();
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(key, body)));
    expect(answers.filter((answer) => answer.headers["idempotency-status"] === "stored")).toHaveLength(1);
    for (const answer of answers.filter((each) => each.status !== 201)) {
      expect(codeOf(answer)).toBe("idempotency.in_progress");
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
    expect(await paymentsOf(body)).toBe(1);
    expect(await count("onceboard.outbox_messages", "operation_id = $2", (await recordOf(key))?.operation_id)).toBe(1);
  });

  it("CONFLICT-1 2 · another command conflicts in any state, and leaves the stored record as it was", async () => {
    const bodies = payment();
    const other = { ...bodies, amount: "11.00" };
    const states: [string, (key: string) => Promise<unknown>][] = [
      ["COMPLETED", (key) => pay(key, bodies)],
      ["FAILED_REPLAYABLE", (key) => pay(key, payment({ amount: "10.51" }))],
      [
        "FAILED_RETRYABLE",
        async (key) => {
          await host.faults({ rate_limit: 1 });
          await pay(key, payment());
          await host.faults({ rate_limit: 0 });
        },
      ],
      ["UNKNOWN_REQUIRES_RECOVERY", (key) => lostAnswer(key, payment())],
      [
        "IN_PROGRESS",
        async (key) => {
          await lostAnswer(key, payment());
          await abandon(key);
        },
      ],
      [
        "EXPIRED",
        async (key) => {
          await pay(key, payment());
          await host.rows(
            "update onceboard.idempotency_requests set state = 'EXPIRED', expires_at = now() where tenant_id = $1 and key = $2",
            host.tenant,
            key,
          );
        },
      ],
    ];
    for (const [state, make] of states) {
      const key = randomUUID();
      await make(key);
      const before = await recordOf(key);
      expect(before?.state).toBe(state);
      const answer = await pay(key, other);
      expect([state, answer.status, codeOf(answer)]).toEqual([state, 409, "idempotency.payload_mismatch"]);
      expect(await recordOf(key)).toEqual(before);
    }
  });

  it("COMMAND-1 3 · form is not meaning: order, white space, notation, a written-out default and headers are the same command", async () => {
    const key = randomUUID();
    const reference = randomUUID();
    const first = await pay(key, {
      accountId: "acc_1",
      amount: "10.00",
      currency: "EUR",
      merchantReference: reference,
    });
    const another = tillOf(host, await host.key(["payments"], { name: "till" }));
    const again = await another.post(
      "/payments",
      { merchantReference: reference, channel: "web", currency: "EUR", amount: 1_000, accountId: "acc_1" },
      { key, headers: [["prefer", "return=representation"]] },
    );
    expect([again.headers["idempotent-replayed"], again.text]).toEqual(["true", first.text]);
    // No command of ours has a list; the order of one would be meaning.
    expect(canonicalize({ list: [1, 2] })).not.toBe(canonicalize({ list: [2, 1] }));
  });

  it("COMMAND-4 COMMAND-6 4 · a deploy that changes the rules compares old rows by theirs; unknown members are a policy", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await pay(key, body);
    const setVersion = (version: number) =>
      host.rows(
        "update onceboard.idempotency_requests set fingerprint_version = $3 where tenant_id = $1 and key = $2",
        host.tenant,
        key,
        version,
      );
    await setVersion(2);
    const newer = await pay(key, body);
    expect([newer.status, codeOf(newer), newer.json?.["retryable"]]).toEqual([
      503,
      "idempotency.fingerprint_unknown",
      true,
    ]);
    await setVersion(1);
    expect((await pay(key, body)).text).toBe(first.text);
    expect(codeOf(await pay(key, { ...body, note: "x" }))).toBe("validation.body");
    await decide({ unknownFields: "ignore" });
    await expect.poll(async () => (await pay(key, { ...body, note: "x" })).status, { timeout: 10_000 }).toBe(201);
  });

  it("KEY-3 KEY-4 5 · another tenant or operation is independent, and nothing tells that the other record exists", async () => {
    const key = randomUUID();
    const body = payment();
    const mine = await pay(key, body);
    const theirs = await openTill(host, ["payments", "accounts"], host.otherTenant);
    const other = await theirs.post("/payments", body, { key });
    expect([mine.status, other.status, other.headers["idempotency-status"]]).toEqual([201, 201, "stored"]);
    expect(other.json?.["paymentId"]).not.toBe(mine.json?.["paymentId"]);
    const account = await till.post("/accounts", { accountId: `acc-${key}`, currency: "EUR" }, { key });
    expect(account.headers["idempotency-status"]).toBe("stored");
    const foreign = tillOf(host, await host.key(["payments"], { name: `partner-${key}` }));
    const refused = await foreign.post("/payments", body, { key });
    expect(refused.status).toBe(409);
    expect(refused.headers["operation-id"]).toBeUndefined();
    expect(refused.text).not.toContain(operationOf(mine));
    expect(refused.json?.["differingFields"]).toEqual([]);
  });

  it("KEY-5 KEY-6 6 · quoted and bare are one key; anything else is refused and recorded nowhere", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await pay(`"${key}"`, body);
    expect((await pay(key, body)).text).toBe(first.text);
    const before = await footprint(host);
    for (const bad of ["", " ", '""', '"a", "b"', "a,b", '"a";p=1', "a b", "ä", "x".repeat(256)]) {
      const answer = await pay(bad, payment());
      expect([bad, answer.status, String(codeOf(answer)).startsWith("idempotency.key_")]).toEqual([bad, 400, true]);
    }
    const twice = await till.post("/payments", payment(), {
      key: null,
      headers: [
        ["idempotency-key", "a"],
        ["idempotency-key", "b"],
      ],
    });
    expect(codeOf(twice)).toBe("idempotency.key_invalid");
    expect(await footprint(host)).toEqual(before);
  });

  it("RECOVERY-1 7 · a stale lease and twenty retries: one recovery owner, and the fence rises once", async () => {
    const key = randomUUID();
    const body = payment();
    const id = await lostAnswer(key, body);
    const before = await recordOf(key);
    await abandon(key);
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(key, body)));
    expect(answers.some((answer) => answer.status === 201)).toBe(true);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
    expect(await count("onceboard.idempotency_events", "operation_id = $2 and type = 'taken_over'", id)).toBe(1);
    expect((await recordOf(key))?.fence).toBe((before?.fence ?? 0) + 1);
    expect(await paymentsOf(body)).toBe(1);
  });

  it("STATE-3 8 · an owner that wakes after it was taken over changes nothing, and is kept as fenced", async () => {
    const key = randomUUID();
    const body = payment();
    await host.faults({ slow_ms: 900 });
    const owner = pay(key, body);
    await expect
      .poll(() => count("onceboard.idempotency_open", "key = $2 and stage = 'PROVIDER_REQUEST_SENT'", key))
      .toBe(1);
    await abandon(key);
    const taker = pay(key, body);
    const answers = await Promise.all([owner, taker]);
    await expect.poll(async () => (await pay(key, body)).status, { timeout: 20_000 }).toBe(201);
    for (const answer of answers) expect([201, 409, 504]).toContain(answer.status);
    const id = (await recordOf(key))?.operation_id ?? "";
    expect(await count("onceboard.idempotency_events", "operation_id = $2 and type = 'fenced'", id)).toBe(1);
    expect([await paymentsOf(body), (await providerKeys(id)).length]).toEqual([1, 1]);
  });

  it("RECOVERY-2 9 · dead after the provider accepted: recovery asks by the same downstream key, never a new one", async () => {
    const key = randomUUID();
    const body = payment();
    const id = await lostAnswer(key, body);
    await abandon(key);
    const answer = await pay(key, body);
    expect([answer.status, answer.headers["idempotent-replayed"]]).toEqual([201, "true"]);
    expect(await providerKeys(id)).toHaveLength(1);
    expect(await paymentsOf(body)).toBe(1);
  });

  it("PROVIDER-5 10 · nobody can tell the outcome: nothing is sent again, and every retry gets the same uncertain answer", async () => {
    const key = randomUUID();
    const body = payment();
    await host.faults({ timeout_after_accept: 1, lookup_down: 1 });
    const id = operationOf(await pay(key, body));
    const sent = () => count("onceboard.provider_requests", "operation_id = $2 and kind <> 'lookup'", id);
    const before = await sent();
    for (let retry = 0; retry < 5; retry += 1) {
      const answer = await pay(key, body);
      expect([answer.status, codeOf(answer), answer.json?.["safeNewKey"]]).toEqual([
        409,
        "idempotency.outcome_unknown",
        false,
      ]);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
    expect(await sent()).toBe(before);
  });

  it("REPLAY-1 11 · dead after the commit, before the response left: the retry replays, the effect is one", async () => {
    const key = randomUUID();
    const body = payment();
    await host.faults({ slow_ms: 300 });
    const url = new URL("/api/v1/payments", host.url);
    const headers = {
      authorization: `Bearer ${till.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": key,
    };
    const lost = request(url, { method: "POST", headers }).on("error", () => undefined);
    lost.end(JSON.stringify(body));
    await expect.poll(() => count("onceboard.idempotency_open", "key = $2", key)).toBe(1);
    lost.destroy();
    await expect.poll(async () => (await recordOf(key))?.state, { timeout: 10_000 }).toBe("COMPLETED");
    const answer = await pay(key, body);
    expect([answer.status, answer.headers["idempotent-replayed"]]).toEqual([201, "true"]);
    expect(await paymentsOf(body)).toBe(1);
  });

  it("KEY-1 12 · the claim loses to a row that is gone when it looks: it claims again, and never executes unclaimed", async () => {
    const key = randomUUID();
    const body = payment();
    const other = await host.db.pool.connect();
    try {
      await other.query("begin");
      await other.query({ text: HELD_SQL, values: [host.tenant, key] });
      const waiting = pay(key, body);
      await expect
        .poll(() =>
          host.rows(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%onceboard.claim(%'",
          ),
        )
        .not.toHaveLength(0);
      await other.query("rollback");
      expect((await waiting).headers["idempotency-status"]).toBe("stored");
    } finally {
      other.release();
    }
    expect(await paymentsOf(body)).toBe(1);
  });

  it("KEY-9 13 · behind an uncommitted claim a duplicate waits for a bounded time, and others pass", async () => {
    const key = randomUUID();
    const other = await host.db.pool.connect();
    try {
      await other.query("begin");
      await other.query({ text: HELD_SQL, values: [host.tenant, key] });
      const waiting = pay(key, payment());
      const passing = await Promise.all(Array.from({ length: 10 }, () => pay(randomUUID(), payment())));
      for (const answer of passing) expect(answer.status).toBe(201);
      const answer = await waiting;
      expect([answer.status, codeOf(answer), answer.headers["retry-after"]]).toEqual([
        409,
        "idempotency.in_progress",
        "1",
      ]);
    } finally {
      await other.query("rollback");
      other.release();
    }
  });

  it("CERTAINTY-3 14 · an error before any effect frees the key; a lost mark of it ends with the lease, and never doubles", async () => {
    const key = randomUUID();
    const body = payment();
    await host.faults({ rate_limit: 1 });
    const refused = await pay(key, body);
    expect([refused.status, refused.json?.["retryable"], (await recordOf(key))?.state]).toEqual([
      503,
      true,
      "FAILED_RETRYABLE",
    ]);
    await host.faults({ rate_limit: 0 });
    expect((await pay(key, body)).status).toBe(201);
    const lost = randomUUID();
    const lostBody = payment();
    await lostAnswer(lost, lostBody);
    // The owner died before it sent anything, so nobody wrote the failure down.
    await abandon(lost, "LOCAL_PAYMENT_CREATED");
    expect(codeOf(await pay(lost, lostBody))).toBe("transient.owner_lost");
    expect((await pay(lost, lostBody)).status).toBe(201);
    expect([await paymentsOf(body), await paymentsOf(lostBody)]).toEqual([1, 1]);
  });

  it("REFUSAL-1 15 · a business refusal is replayed, whatever changed since; a new key is the way to try again", async () => {
    const key = randomUUID();
    const body = payment({ amount: "20.51" });
    const first = await pay(key, body);
    expect([first.status, codeOf(first), first.headers["x-should-retry"]]).toEqual([
      402,
      "payment.insufficient_funds",
      "false",
    ]);
    const second = await pay(key, body);
    expect([second.text, second.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    const fresh = await pay(randomUUID(), body);
    expect([fresh.status, fresh.headers["idempotency-status"]]).toEqual([402, "stored"]);
  });

  it("REFUSAL-4 16 · 401, 403, malformed and invalid leave no record: the same key works afterwards", async () => {
    const key = randomUUID();
    const body = payment();
    const before = await footprint(host);
    const nobody = await tillOf(host, "ob_x_y").post("/payments", body, { key });
    const forbidden = await tillOf(host, await host.key(["events"])).post("/payments", body, { key });
    const invalid = await pay(key, { ...body, amount: "-1" });
    const malformed = await host.call({
      method: "POST",
      path: "/api/v1/payments",
      headers: [
        ["authorization", `Bearer ${till.apiKey}`],
        ["content-type", "application/json"],
        ["idempotency-key", key],
      ],
      body: '{"accountId": "a", "accountId": "b"}',
    });
    expect([nobody, forbidden, invalid, malformed].map(({ status }) => status)).toEqual([401, 403, 422, 400]);
    expect(await footprint(host)).toEqual(before);
    expect((await pay(key, body)).headers["idempotency-status"]).toBe("stored");
  });

  it.skipIf(name === "next")(
    "16 · 429 leaves no record, and a replay is not charged to the quota a second time",
    async () => {
      const strict = await openHost(name, { limits: { calls: { perSecond: 0.001, burst: 2 } } });
      try {
        const poor = await openTill(strict);
        const key = randomUUID();
        const body = payment();
        expect((await poor.post("/payments", body, { key })).status).toBe(201);
        for (let replay = 0; replay < 5; replay += 1)
          expect((await poor.post("/payments", body, { key })).headers["idempotent-replayed"]).toBe("true");
        expect((await poor.post("/payments", payment())).status).toBe(201);
        const before = await footprint(strict);
        const refused = await poor.post("/payments", payment());
        expect([refused.status, codeOf(refused)]).toEqual([429, "rate_limit.exceeded"]);
        expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
        expect(await footprint(strict)).toEqual(before);
      } finally {
        await strict.close();
      }
    },
  );

  it("REPLAY-7 17 · a permission taken away before the retry: the stored body is never shown", async () => {
    const key = randomUUID();
    const body = payment();
    const client = `leaver-${key}`;
    const leaver = tillOf(host, await host.key(["payments"], { name: client }));
    const first = await leaver.post("/payments", body, { key });
    await host.rows(
      "update onceboard.api_keys k set revoked_at = now() from onceboard.api_clients c where c.tenant_id = k.tenant_id and c.id = k.client_id and c.name = $1",
      client,
    );
    await expect
      .poll(async () => (await leaver.post("/payments", body, { key })).status, { timeout: 10_000 })
      .toBe(401);
    const refused = await leaver.post("/payments", body, { key });
    expect(refused.text).not.toContain(String(first.json?.["paymentId"]));
    const lesser = tillOf(host, await host.key(["accounts"], { name: client }));
    const forbidden = await lesser.post("/payments", body, { key });
    expect([forbidden.status, forbidden.text.includes(String(first.json?.["paymentId"]))]).toEqual([403, false]);
  });

  it("REPLAY-1 REPLAY-2 18 · a replay has the same status and bytes and only the headers that may be repeated", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await pay(key, body);
    const second = await pay(key, body);
    expect([second.status, second.bytes.equals(first.bytes)]).toEqual([first.status, true]);
    for (const header of ["content-type", "location", "idempotency-key", "operation-id", "idempotency-expires"])
      expect([header, second.headers[header]]).toEqual([header, first.headers[header]]);
    expect(second.headers["cache-control"]).toBe("no-store");
    for (const header of ["set-cookie", "traceparent", "www-authenticate"])
      expect(second.headers[header]).toBeUndefined();
    const minimal = await till.post("/payments", body, { key, headers: [["prefer", "return=minimal"]] });
    expect([minimal.status, minimal.text, minimal.headers["idempotent-replayed"]]).toEqual([201, "", "true"]);
  });

  it("REPLAY-6 19 · an answer that was purged is told by reference, and nothing is executed again", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await pay(key, body);
    await host.rows(
      "delete from onceboard.idempotency_bodies where tenant_id = $1 and operation_id = $2",
      host.tenant,
      operationOf(first),
    );
    const answer = await pay(key, body);
    expect(answer.json).toMatchObject({
      status: 410,
      code: "idempotency.response_purged",
      resource: { type: "payment", id: first.json?.["paymentId"] },
      safeNewKey: false,
    });
    expect(await paymentsOf(body)).toBe(1);
  });

  it("REPLAY-5 20 · the schema changed between try and retry: the stored version is replayed and declared", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await pay(key, body);
    await host.rows(
      "update onceboard.idempotency_requests set response_schema_version = '2025-01-01' where tenant_id = $1 and key = $2",
      host.tenant,
      key,
    );
    const again = await pay(key, body);
    expect([again.text, again.headers["response-schema-version"]]).toEqual([first.text, "2025-01-01"]);
    expect(first.headers["response-schema-version"]).not.toBe("2025-01-01");
  });

  it("KEY-11 KEY-12 21 · after the window: an explicit error and a counter, also for a UUIDv7 key that nothing is known of", async () => {
    const expired = async () => {
      const { text } = await host.call({ path: "/api/metrics" });
      const counted = text.matchAll(/^idempotency_requests_total\{[^}]*outcome="expired"[^}]*\} (\d+)/gm);
      return [...counted].reduce((sum, match) => sum + Number(match[1]), 0);
    };
    const before = await expired();
    const key = randomUUID();
    const body = payment();
    await pay(key, body);
    await host.rows(
      "update onceboard.idempotency_requests set expires_at = clock_timestamp() where tenant_id = $1 and key = $2",
      host.tenant,
      key,
    );
    const late = await pay(key, body);
    expect([late.status, codeOf(late), late.headers["x-should-retry"]]).toEqual([
      410,
      "idempotency.key_expired",
      "false",
    ]);
    const forgotten = payment();
    const old = await pay(uuidv7({ msecs: Date.now() - 200 * DAY_MS }), forgotten);
    expect([old.status, codeOf(old), old.headers["operation-id"]]).toEqual([410, "idempotency.key_expired", undefined]);
    expect(await expired()).toBe(before + 2);
    expect([await paymentsOf(body), await paymentsOf(forgotten)]).toEqual([1, 0]);
  });

  it("RETENTION-1 22 · cleanup takes small batches and never what is open or not yet published, and is idempotent itself", async () => {
    const keys = { done: randomUUID(), open: randomUUID(), unpublished: randomUUID() };
    await host.rows("select onceboard.expire_requests($1, 1000)", host.tenant);
    await pay(keys.done, payment());
    await pay(keys.unpublished, payment());
    await lostAnswer(keys.open, payment());
    await host.rows(
      `update onceboard.idempotency_requests set expires_at = now() - interval '2 days', purge_after = now() - interval '1 day', body_purged_at = now()
       where tenant_id = $1 and key = any($2)`,
      host.tenant,
      Object.values(keys),
    );
    await host.rows(
      "delete from onceboard.outbox_messages m using onceboard.idempotency_requests r where r.tenant_id = $1 and r.key = $2 and m.tenant_id = $1 and m.operation_id = r.operation_id",
      host.tenant,
      keys.done,
    );
    const sweep = async () => {
      const [expiredNow] = await host.rows<{ n: number }>(
        "select onceboard.expire_requests($1, 1000) as n",
        host.tenant,
      );
      const [purged] = await host.rows<{ n: number }>("select onceboard.purge_requests($1, 1000) as n", host.tenant);
      return [expiredNow?.n, purged?.n];
    };
    expect(await sweep()).toEqual([2, 1]);
    expect(await sweep()).toEqual([0, 0]);
    expect([
      await recordOf(keys.done),
      (await recordOf(keys.open))?.state,
      (await recordOf(keys.unpublished))?.state,
    ]).toEqual([undefined, "UNKNOWN_REQUIRES_RECOVERY", "EXPIRED"]);
  });

  it("OUTBOX-1 OUTBOX-3 23 · outbox: a lower id that commits late is not skipped, and a lost mark sends the same event id again", async () => {
    await host.rows("delete from onceboard.outbox_messages where tenant_id = $1", host.tenant);
    const claim = () =>
      host.rows<{ id: string; fence: number; position: bigint }>(
        "select id, fence, position from onceboard.claim_outbox($1, 'payments', 'relay-1', 60000, 100)",
        host.tenant,
      );
    const late = await host.db.pool.connect();
    try {
      await late.query("begin");
      const message = (id: string) => ({
        text: `insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, next_attempt_at)
               values ($1, $2::uuid, gen_random_uuid(), 'payment', $2::uuid::text, 'payments', 'payment.succeeded', '{}', '{}', clock_timestamp(), clock_timestamp())`,
        values: [host.tenant, id],
      });
      const [lower, higher] = [uuidv7(), uuidv7()];
      await late.query(message(lower));
      await host.db.pool.query(message(higher));
      expect((await claim()).map((row) => row.id)).toEqual([higher]);
      await late.query("commit");
      expect((await claim()).map((row) => row.id)).toEqual([lower]);
      // Both were sent, and the relay died before it marked them.
      await host.rows(
        "update onceboard.outbox_messages set locked_until = clock_timestamp() - interval '1 second' where tenant_id = $1",
        host.tenant,
      );
      const again = (await claim()).map((row) => [row.id, row.fence]);
      expect(again).toHaveLength(2);
      expect(again).toEqual(
        expect.arrayContaining([
          [lower, 2],
          [higher, 2],
        ]),
      );
    } finally {
      late.release();
    }
  });

  it("INBOX-2 INBOX-3 24 · inbox: a duplicate has no second effect, another payload is flagged, and a requeue clicked twice is one", async () => {
    const sender = await host.key(["events"]);
    const id = randomUUID();
    const send = (data: unknown) =>
      host.call({
        method: "POST",
        path: "/api/v1/events/warehouse",
        headers: [
          ["authorization", `Bearer ${sender}`],
          ["content-type", "application/cloudevents+json"],
        ],
        body: JSON.stringify({ specversion: "1.0", id, source: "/warehouse", type: "parcel.sent", data }),
      });
    const answers = [await send({ n: 1 }), await send({ n: 1 }), await send({ n: 2 })];
    expect(answers.map(({ status }) => status)).toEqual([202, 200, 409]);
    const [row] = await host.rows<{ id: string; duplicates: number; mismatches: number }>(
      "select id, duplicates, mismatches from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(row).toMatchObject({ duplicates: 1, mismatches: 1 });
    // A message that kills its process: started counts, finished does not; at the ceiling it is a dead letter.
    await host.rows(
      "update onceboard.inbox_open set attempts_started = 4, attempts_finished = 0 where tenant_id = $1 and id = $2",
      host.tenant,
      row?.id,
    );
    const [claimed] = await host.rows<{ fence: number; attempts_started: number }>(
      "select fence, attempts_started from onceboard.claim_inbox($1, 'worker-1', 60000, 100, false) where id = $2",
      host.tenant,
      row?.id,
    );
    expect(claimed?.attempts_started).toBe(5);
    const [failed] = await host.rows<{ state: string }>(
      "select onceboard.fail_inbox($1, $2, $3, 'consumer.killed', 'the process died', 'f', 0, 5, gen_random_uuid()) as state",
      host.tenant,
      row?.id,
      claimed?.fence,
    );
    expect(failed?.state).toBe("dead");
    const key = randomUUID();
    const requeue = () => admin.post(`/admin/inbox/${row?.id ?? ""}/requeue`, { reason: "fixed" }, { key });
    const [one, two] = [await requeue(), await requeue()];
    expect([one.json?.["changed"], two.headers["idempotent-replayed"], two.text]).toEqual([true, "true", one.text]);
    expect(await count("onceboard.audit_entries", "subject_id = $2", row?.id)).toBe(1);
  });

  it("PAYMENT-3 25 · two keys for one act: the business's own constraint stops it, and names the first", async () => {
    const body = payment();
    const first = await pay(randomUUID(), body);
    const second = await pay(randomUUID(), body);
    expect(second.json).toMatchObject({
      status: 409,
      code: "payment.duplicate_reference",
      paymentId: first.json?.["paymentId"],
    });
    const refund = (amount: string) =>
      till.post("/refunds", { paymentId: first.json?.["paymentId"], amount }, { key: randomUUID() });
    const [one, two] = await Promise.all([refund("6.00"), refund("6.00")]);
    expect([one.status, two.status].sort()).toEqual([201, 422]);
    expect(await count("payments.refunds", "payment_id = $2 and status = 'succeeded'", first.json?.["paymentId"])).toBe(
      1,
    );
  });

  describe("reserve", () => {
    it.skipIf(name === "next")(
      "store unreachable · closed, with 503 and Retry-After, and nothing is sent",
      async () => {
        const relayed = await openHost(name, { relayed: true });
        try {
          const poor = await openTill(relayed);
          expect((await poor.post("/payments", payment())).status).toBe(201);
          await relayed.cutDatabase();
          const answer = await poor.post("/payments", payment());
          expect([answer.status, answer.json?.["retryable"]]).toEqual([503, true]);
          expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
        } finally {
          await relayed.close();
        }
      },
    );

    it.skipIf(name === "next")(
      "the app's clock is an hour off · leases and windows follow the database's",
      async () => {
        const real = Date.now();
        vi.useFakeTimers({ toFake: ["Date"], now: real + 3_600_000 });
        try {
          const key = randomUUID();
          const body = payment();
          await host.faults({ slow_ms: 300 });
          const owner = pay(key, body);
          await expect.poll(() => count("onceboard.idempotency_open", "key = $2", key)).toBe(1);
          // An hour ahead, its own clock would call every lease stale and every window over.
          expect(codeOf(await pay(key, body))).toBe("idempotency.in_progress");
          expect((await owner).status).toBe(201);
          expect((await pay(key, body)).headers["idempotent-replayed"]).toBe("true");
          const [row] = await host.rows<{ off: number }>(
            "select abs(extract(epoch from created_at - now()))::int as off from onceboard.idempotency_requests where tenant_id = $1 and key = $2",
            host.tenant,
            key,
          );
          expect(row?.off).toBeLessThan(600);
        } finally {
          vi.useRealTimers();
        }
      },
    );

    it("a long transaction · the lease starts when it is claimed, not when the transaction began", async () => {
      const client = await host.db.pool.connect();
      try {
        await client.query("begin");
        const { rows: began } = await client.query<{ at: Date }>("select now() as at");
        await expect
          .poll(
            async () =>
              (
                await host.rows<{ past: boolean }>(
                  "select clock_timestamp() > $1::timestamptz + interval '50 ms' as past",
                  began[0]?.at,
                )
              )[0]?.past,
          )
          .toBe(true);
        const { rows } = await client.query<{ later: boolean }>(
          "select created_at > now() as later from onceboard.claim($1, 'x.y', 'k', gen_random_uuid(), 'p', 'f', 'o')",
          [host.tenant],
        );
        expect(rows[0]?.later).toBe(true);
      } finally {
        await client.query("rollback");
        client.release();
      }
    });

    it("POLICY-5 a lease that is not longer than the provider's timeout is refused, in the environment and as a policy", async () => {
      const env = { DATABASE_URL: "postgres://h/d", SECRET: "x".repeat(32), ENCRYPTION_KEYS: `k:${"A".repeat(43)}=` };
      expect(() => parseConfig({ ...env, LEASE_SECONDS: "10", PROVIDER_TIMEOUT_MS: "10000" })).toThrow(/LEASE_SECONDS/);
      const answer = await admin.post("/admin/policies/payments.create", {
        overrides: { leaseSeconds: 1 },
        expectedVersion: 0,
        reason: "faster recovery",
      });
      expect(answer.status).toBe(422);
      expect(await count("onceboard.operation_policies", "true")).toBe(0);
    });

    it.skipIf(name === "next")(
      "a webhook after a rotation · both secrets hold in the overlap, the old one ends",
      async () => {
        const { deps } = requireInProcess(host);
        const sign = await import("standardwebhooks");
        const secrets = {
          old: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
          new: `whsec_${Buffer.alloc(32, 2).toString("base64")}`,
        };
        for (const [id, secret] of Object.entries(secrets))
          await host.rows(
            "insert into onceboard.event_sources (tenant_id, source, secret_id, secret) values ($1, 'partner', $2, $3)",
            host.tenant,
            id,
            deps.keyring.sealSecret(Buffer.from(secret), [host.tenant, "event_source", "partner", id]),
          );
        const send = (secret: string) => {
          const [id, at, body] = [`evt_${randomUUID()}`, new Date(), JSON.stringify({ type: "x", data: {} })];
          return host.call({
            method: "POST",
            path: `/api/v1/events/partner?tenant=${host.tenant}`,
            headers: [
              ["content-type", "application/json"],
              ["webhook-id", id],
              ["webhook-timestamp", String(Math.floor(at.getTime() / 1_000))],
              ["webhook-signature", new sign.Webhook(secret).sign(id, at, body)],
            ],
            body,
          });
        };
        expect([(await send(secrets.old)).status, (await send(secrets.new)).status]).toEqual([202, 202]);
        await host.rows(
          "update onceboard.event_sources set expires_at = now() where tenant_id = $1 and source = 'partner' and secret_id = 'old'",
          host.tenant,
        );
        expect([(await send(secrets.old)).status, (await send(secrets.new)).status]).toEqual([401, 202]);
      },
    );

    it("ACTION-1 an operator's double click · one action, its second answer is the first", async () => {
      const id = await lostAnswer(randomUUID(), payment());
      const key = randomUUID();
      const [one, two] = await Promise.all(
        [1, 2].map(() => admin.post(`/admin/operations/${id}/reconcile`, {}, { key })),
      );
      const settled = await admin.post(`/admin/operations/${id}/reconcile`, {}, { key });
      expect([settled.status, settled.json?.["changed"]]).toEqual([200, true]);
      for (const answer of [one, two]) expect([200, 409]).toContain(answer?.status);
      expect(await count("onceboard.audit_entries", "subject_id = $2", id)).toBe(1);
    });

    it.skipIf(name === "next")("the key in logs · only its keyed hash", async () => {
      const lines: string[] = [];
      const logged = await openHost(name, { lines: { write: (line) => void lines.push(line) } });
      try {
        const speaking = await openTill(logged);
        const key = `secret-key-${randomUUID()}`;
        const body = payment();
        await speaking.post("/payments", body, { key });
        await speaking.post("/payments", { ...body, amount: "1.00" }, { key });
        expect(lines.join("")).toContain("payments.create");
        expect(lines.join("")).not.toContain(key);
        expect(lines.join("")).not.toContain(speaking.apiKey);
      } finally {
        await logged.close();
      }
    });

    it("REGION-1 another region · refused before anything is looked at", async () => {
      const moved = await openTill(host, ["payments"], `moved-${randomUUID().slice(0, 8)}`);
      const tenant = (
        await host.rows<{ id: string }>("select id from onceboard.tenants order by created_at desc limit 1")
      )[0]?.id;
      await host.rows("update onceboard.tenants set home_region = 'elsewhere' where id = $1", tenant);
      expect(codeOf(await moved.post("/payments", payment()))).toBe("tenant.wrong_region");
    });

    it("KEY-8 PUT with a key · works as without one, and is recorded nowhere", async () => {
      const accountId = `acc-${randomUUID()}`;
      await till.post("/accounts", { accountId, currency: "EUR" });
      const before = await count("onceboard.idempotency_requests", "true");
      const put = () =>
        host.call({
          method: "PUT",
          path: `/api/v1/accounts/${accountId}/settings/default-currency`,
          headers: [
            ["authorization", `Bearer ${till.apiKey}`],
            ["content-type", "application/json"],
            ["idempotency-key", "k"],
          ],
          body: '{"currency":"USD"}',
        });
      const [one, two] = [await put(), await put()];
      expect([one.status, two.status, two.headers["idempotent-replayed"]]).toEqual([200, 200, undefined]);
      expect(await count("onceboard.idempotency_requests", "true")).toBe(before);
    });
  });
});
