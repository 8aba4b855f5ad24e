import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPERATION_STATES, STAGES, type OperationState, type Stage } from "@/domain/idempotency/states";
import { STAGE_TRANSITIONS, TRANSITIONS } from "@/domain/idempotency/transitions";
import { createDatabase, type Database } from "./client";
import { databaseErrorCode } from "./errors";
import { callFunction } from "./testing/call-function";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

/** Every function against every state: what `TRANSITIONS` says happens, and nothing else can. */

type From = OperationState | "none";

/** One operation in a tenant of its own, so that functions which take what is due find it alone. */
interface Subject {
  readonly tenant: string;
  readonly id: string;
  readonly fence: number;
  readonly journal: string;
}

type Row = Record<string, unknown>;

let test: TestDatabase;
let app: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  app = createDatabase({ url: test.url, max: 1 });
});
afterAll(async () => {
  await app.close();
  await test.drop();
});

async function owner(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await test.db.pool.query<Row>({ text, values })).rows;
}

const call = (name: string, args: Readonly<Row>) => callFunction(app.pool, name, args);

const claim = (s: Pick<Subject, "tenant">, more: Readonly<Row> = {}) =>
  call("claim", {
    tenant: s.tenant,
    operation: "payments.create",
    key: "the-key",
    operation_id: randomUUID(),
    principal: "till",
    fingerprint: Buffer.from("f"),
    owner: "me",
    command: Buffer.from("{}"),
    ...more,
  });
const fenced = (s: Subject) => ({ tenant: s.tenant, operation_id: s.id, fence: s.fence });
const complete = (s: Subject, state = "COMPLETED") =>
  call("complete", { ...fenced(s), state, status: 201, body: Buffer.from("{}"), outbox: JSON.stringify([message()]) });
const message = () => ({
  id: randomUUID(),
  aggregate_type: "payment",
  aggregate_id: "p1",
  topic: "payments",
  type: "payment.succeeded",
  payload: {},
  headers: {},
});
const failRetryable = (s: Subject) => call("fail_retryable", { ...fenced(s), error_code: "transient.owner_lost" });
const markUnknown = (s: Subject) =>
  call("mark_unknown", {
    ...fenced(s),
    error_code: "dependency.timeout",
    finding: null,
    checked: false,
    next_check_ms: 60_000,
  });
const prepare = (s: Subject) =>
  call("prepare_provider", {
    ...fenced(s),
    id: s.journal,
    provider_key: "pk",
    provider: "sandbox",
    kind: "charge",
    amount: 100,
    currency: "EUR",
  });
const markSent = (s: Subject) => call("mark_sent", { ...fenced(s), request: s.journal });
const confirm = (s: Subject) => call("confirm_provider", fenced(s));

/** What makes an operation of a state with the functions alone; time is the only thing that the owner moves. */
const MAKE: Readonly<Record<OperationState, (s: Subject) => Promise<unknown>>> = {
  IN_PROGRESS: () => Promise.resolve(),
  COMPLETED: (s) => complete(s),
  FAILED_REPLAYABLE: (s) => complete(s, "FAILED_REPLAYABLE"),
  FAILED_RETRYABLE: (s) => failRetryable(s),
  async UNKNOWN_REQUIRES_RECOVERY(s) {
    await prepare(s);
    await markSent(s);
    await markUnknown(s);
  },
  async EXPIRED(s) {
    await complete(s);
    await windowOver(s);
    await call("expire_requests", { tenant: s.tenant, limit: 1 });
  },
};

async function subject(state: From): Promise<Subject> {
  const tenant = `t-${randomUUID()}`;
  if (state === "none") return { tenant, id: randomUUID(), fence: 1, journal: randomUUID() };
  const [row] = await claim({ tenant });
  const s = { tenant, id: String(row?.["operation_id"]), fence: Number(row?.["fence"]), journal: randomUUID() };
  await MAKE[state](s);
  expect((await request(s))?.["state"]).toBe(state);
  return s;
}

const windowOver = (s: Subject) =>
  owner("update onceboard.idempotency_requests set expires_at = now() - interval '1 s' where tenant_id = $1", [
    s.tenant,
  ]);
const metadataOver = (s: Subject) =>
  owner(
    `update onceboard.idempotency_requests set expires_at = now() - interval '1 s', purge_after = now() - interval '1 s',
       body_purged_at = now() where tenant_id = $1`,
    [s.tenant],
  );
const noMessages = (s: Subject) => owner("delete from onceboard.outbox_messages where tenant_id = $1", [s.tenant]);
const leaseOver = (s: Subject) =>
  owner(
    `update onceboard.idempotency_open set locked_until = case when locked_until is null then null else now() - interval '1 s' end,
       next_check_at = case when next_check_at is null then null else now() - interval '1 s' end where tenant_id = $1`,
    [s.tenant],
  );

interface Request extends Row {
  readonly state: OperationState;
  readonly fence: number;
}
async function request(s: Subject): Promise<Request | undefined> {
  const rows = await owner(
    "select state, fence, attempts, key from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2",
    [s.tenant, s.id],
  );
  return rows[0] as Request | undefined;
}

const CORE = [
  "idempotency_requests",
  "idempotency_open",
  "idempotency_bodies",
  "idempotency_events",
  "provider_requests",
  "outbox_messages",
  "outbox_history",
  "inbox_messages",
  "inbox_open",
  "inbox_arrivals",
  "dead_letters",
];
/** Every row of the state machine, as text: nothing of it may differ after a write that was refused. */
async function everything(...tenants: string[]): Promise<unknown[]> {
  const parts = CORE.map(
    (name) => `select '${name}' as name, to_jsonb(t) as row from onceboard.${name} t where t.tenant_id = any ($1)`,
  );
  return owner(`select name, row::text from (${parts.join(" union all ")}) x order by 1, 2`, [tenants]);
}

interface Act {
  readonly name: string;
  readonly by: string;
  /** Which rows of TRANSITIONS it may be. */
  readonly is: (transition: (typeof TRANSITIONS)[number]) => boolean;
  /** Moves time so that what the function waits for is over. */
  readonly favour?: (s: Subject) => Promise<unknown>;
  readonly run: (s: Subject) => Promise<unknown>;
  /** Takes a fence, so a wrong one must be told. */
  readonly owned?: boolean;
}

const by = (name: string) => (transition: (typeof TRANSITIONS)[number]) => transition.by === name;
const LATE = "late retry";
const ACTS: readonly Act[] = [
  {
    name: "claim",
    by: "claim",
    is: (transition) => transition.by === "claim" && !transition.when.startsWith(LATE),
    run: (s) => claim(s),
  },
  {
    name: "claim, late, where a late retry may execute",
    by: "claim",
    // A key that is new, or free to run again but late, is claimed all the same.
    is: (transition) => transition.by === "claim" && (transition.from === "none" || transition.when.startsWith(LATE)),
    favour: windowOver,
    run: (s) => claim(s, { expired: "execute" }),
  },
  {
    name: "take_over",
    by: "take_over",
    is: by("take_over"),
    favour: leaseOver,
    run: (s) => call("take_over", { tenant: s.tenant, owner: "recovery", lease_ms: 30_000, limit: 5 }),
  },
  ...(["COMPLETED", "FAILED_REPLAYABLE"] as const).map((state) => ({
    name: `complete with ${state}`,
    by: "complete",
    is: (transition: (typeof TRANSITIONS)[number]) => transition.by === "complete" && transition.to === state,
    run: (s: Subject) => complete(s, state),
    owned: true,
  })),
  { name: "fail_retryable", by: "fail_retryable", is: by("fail_retryable"), run: failRetryable, owned: true },
  { name: "mark_unknown", by: "mark_unknown", is: by("mark_unknown"), run: markUnknown, owned: true },
  {
    name: "expire_requests",
    by: "expire_requests",
    is: by("expire_requests"),
    favour: windowOver,
    run: (s) => call("expire_requests", { tenant: s.tenant, limit: 5 }),
  },
  {
    name: "purge_requests",
    by: "purge_requests",
    is: by("purge_requests"),
    favour: async (s) => {
      await metadataOver(s);
      await noMessages(s);
    },
    run: (s) => call("purge_requests", { tenant: s.tenant, limit: 5 }),
  },
];

/** Runs a write and lets complete() say with its own error that the operation is not ours. */
async function attempt(run: () => Promise<unknown>): Promise<void> {
  await run().catch((error: unknown) => expect(databaseErrorCode(error)).toBe("OB001"));
}

const STATES: readonly From[] = ["none", ...OPERATION_STATES];
const PAIRS = STATES.flatMap((from) => ACTS.map((act) => ({ from, act, name: act.name })));

describe("STATE-1 each function in each state", () => {
  it("is tried for every transition there is", () => {
    const covered = TRANSITIONS.filter((transition) => ACTS.some((act) => act.is(transition)));
    expect(covered).toEqual([...TRANSITIONS]);
  });

  it.each(PAIRS)("$name from $from does what the table of transitions says, or nothing", async ({ from, act }) => {
    const s = await subject(from);
    await act.favour?.(s);
    const [before, all] = [await request(s), await everything(s.tenant)];
    const allowed = TRANSITIONS.filter((transition) => transition.from === from && act.is(transition));
    await attempt(() => act.run(s));
    if (allowed.length === 0) {
      const setAside = from === "EXPIRED" && act.name.startsWith("claim, late");
      // An expired operation stays what it is and whole; only its key makes room.
      if (setAside)
        expect(await request(s)).toMatchObject({ ...before, key: expect.stringContaining("expired") as string });
      else expect(await everything(s.tenant)).toEqual(all);
      return;
    }
    expect(allowed).toHaveLength(1);
    const after = from === "none" ? await newest(s) : await request(s);
    expect(after?.state ?? "none").toBe(allowed[0]?.to);
    // Whoever owned it before is fenced from here on.
    const owns =
      act.by === "take_over" || (act.by === "claim" && from === "FAILED_RETRYABLE" && after?.state === "IN_PROGRESS");
    if (before !== undefined && after !== undefined) expect(after.fence).toBe(before.fence + (owns ? 1 : 0));
  });
});

async function newest(s: Subject): Promise<Request | undefined> {
  return (
    await owner("select state, fence from onceboard.idempotency_requests where tenant_id = $1", [s.tenant])
  )[0] as Request | undefined;
}

describe("STATE-3 a wrong fence", () => {
  const WRONG: readonly { readonly what: string; readonly wrong: (s: Subject) => Subject }[] = [
    { what: "an older fence", wrong: (s) => ({ ...s, fence: s.fence - 1 }) },
    { what: "a fence that nobody has yet", wrong: (s) => ({ ...s, fence: s.fence + 1 }) },
    { what: "no fence", wrong: (s) => ({ ...s, fence: null as never }) },
    { what: "another tenant", wrong: (s) => ({ ...s, tenant: `${s.tenant}-other` }) },
    { what: "another operation", wrong: (s) => ({ ...s, id: randomUUID() }) },
  ];
  const owned: readonly Pick<Act, "name" | "run">[] = [
    ...ACTS.filter((act) => act.owned === true),
    { name: "prepare_provider", run: prepare },
    { name: "mark_sent", run: markSent },
    { name: "confirm_provider", run: confirm },
    {
      name: "journal_provider_request",
      run: (s) =>
        call("journal_provider_request", {
          ...fenced(s),
          id: randomUUID(),
          provider_key: "pk",
          provider: "sandbox",
          kind: "lookup",
        }),
    },
  ];

  it.each(WRONG.flatMap(({ what, wrong }) => OPERATION_STATES.map((from) => ({ what, wrong, from }))))(
    "$what leaves an operation that is $from as it was, whatever is called",
    async ({ wrong, from }) => {
      const s = await subject(from);
      const other = wrong(s);
      const before = await everything(s.tenant, other.tenant);
      for (const act of owned) {
        await attempt(() => act.run(other));
        expect([act.name, await everything(s.tenant, other.tenant)]).toEqual([act.name, before]);
      }
    },
  );

  it("is what an owner holds after it was taken over (STATE-3)", async () => {
    const s = await subject("IN_PROGRESS");
    await leaseOver(s);
    await call("take_over", { tenant: s.tenant, owner: "recovery", lease_ms: 30_000, limit: 1 });
    const before = await everything(s.tenant);
    for (const act of owned) await attempt(() => act.run(s));
    expect(await everything(s.tenant)).toEqual(before);
  });
});

describe("STATE-5 each function in each stage", () => {
  const REACH: Readonly<Record<Stage, (s: Subject) => Promise<void>>> = {
    RECEIVED: () => Promise.resolve(),
    async LOCAL_PAYMENT_CREATED(s) {
      await prepare(s);
    },
    async PROVIDER_REQUEST_SENT(s) {
      await prepare(s);
      await markSent(s);
    },
    async PROVIDER_CONFIRMED(s) {
      await prepare(s);
      await markSent(s);
      await confirm(s);
    },
  };
  const runs = { prepare_provider: prepare, mark_sent: markSent, confirm_provider: confirm };
  /** The same step again after a crash: says yes and changes nothing of the stage. */
  const AGAIN: Readonly<Record<string, Stage>> = {
    mark_sent: "PROVIDER_REQUEST_SENT",
    confirm_provider: "PROVIDER_CONFIRMED",
  };
  const pairs = STAGES.flatMap((from) => Object.entries(runs).map(([name, run]) => ({ from, name, run })));
  const stageOf = async (s: Subject) =>
    (await owner("select stage from onceboard.idempotency_open where tenant_id = $1", [s.tenant]))[0]?.["stage"];

  it.each(pairs)("$name at $from goes on by one step, or leaves all as it was", async ({ from, name, run }) => {
    const s = await subject("IN_PROGRESS");
    await REACH[from](s);
    const before = await everything(s.tenant);
    const [row] = await run({ ...s, journal: name === "prepare_provider" ? randomUUID() : s.journal });
    const step = STAGE_TRANSITIONS.find((each) => each.from === from && each.by === name);
    expect(row?.[name]).toBe(step !== undefined || AGAIN[name] === from);
    expect(await stageOf(s)).toBe(step?.to ?? from);
    if (step === undefined) expect(await everything(s.tenant)).toEqual(before);
  });

  it("is not marked as sent after the lease is over: somebody may be about to take it", async () => {
    const s = await subject("IN_PROGRESS");
    await prepare(s);
    await leaseOver(s);
    expect(await markSent(s)).toEqual([{ mark_sent: false }]);
    expect(await stageOf(s)).toBe("LOCAL_PAYMENT_CREATED");
  });

  it("keeps one answer of the provider to one call, and none to a call that was not sent", async () => {
    const s = await subject("IN_PROGRESS");
    const answer = (outcome: string) =>
      call("answer_provider", { tenant: s.tenant, request: s.journal, outcome, reference: "ch_1", detail: null });
    const kept = async () =>
      (await owner("select state, outcome from onceboard.provider_requests where tenant_id = $1", [s.tenant]))[0];
    await prepare(s);
    await answer("succeeded");
    expect(await kept()).toEqual({ state: "prepared", outcome: null });
    await markSent(s);
    await answer("succeeded");
    await answer("declined");
    expect(await kept()).toEqual({ state: "answered", outcome: "succeeded" });
  });
});

describe("STATE-6 what is not due", () => {
  it("a live lease is not taken over, however much somebody asks", async () => {
    const s = await subject("IN_PROGRESS");
    const before = await everything(s.tenant);
    const asked = { tenant: s.tenant, owner: "thief", lease_ms: 30_000, limit: 5 };
    expect(await call("take_over", { ...asked, operation_id: s.id, now_please: true })).toEqual([]);
    expect(await everything(s.tenant)).toEqual(before);
  });

  it("an unknown operation is looked up when it is due, or when a person asks", async () => {
    const s = await subject("UNKNOWN_REQUIRES_RECOVERY");
    const asked = { tenant: s.tenant, owner: "recovery", lease_ms: 30_000, limit: 5 };
    expect(await call("take_over", asked)).toEqual([]);
    expect(await call("take_over", { ...asked, operation_id: s.id, now_please: true })).toHaveLength(1);
  });

  it("nothing expires or is deleted before its time, and nothing runs again without an attempt left", async () => {
    for (const from of OPERATION_STATES.filter((state) => state !== "EXPIRED")) {
      const s = await subject(from);
      const before = await everything(s.tenant);
      await call("expire_requests", { tenant: s.tenant, limit: 5 });
      await call("purge_requests", { tenant: s.tenant, limit: 5 });
      expect(await claim(s, { expired: "execute", max_attempts: 1 })).not.toMatchObject([{ outcome: "claimed" }]);
      expect(await everything(s.tenant)).toEqual(before);
    }
  });

  it("another command never changes what the key stands for", async () => {
    for (const from of OPERATION_STATES) {
      const s = await subject(from);
      const before = await everything(s.tenant);
      for (const other of [{ fingerprint: Buffer.from("other") }, { principal: "somebody" }])
        expect(await claim(s, { ...other, expired: "execute" })).toMatchObject([{ outcome: "conflict" }]);
      expect(await claim(s, { fingerprint_version: 9 })).toMatchObject([{ outcome: "other_fingerprint_version" }]);
      expect(await everything(s.tenant)).toEqual(before);
    }
  });
});
