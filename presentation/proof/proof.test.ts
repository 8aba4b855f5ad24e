import { sampleKind } from "@/tests/support/payment-kinds";
import { describe, expect, it } from "vitest";
import { computeProof } from "./proof";
import type { ProofArrival, ProofCall, ProofFacts, ProofRows } from "@/domain/checks/proof-facts";
import type { ClaimStatus, ProofClaim, ProofStatement } from "./proof-statement";
import { PAID, paidFacts, requestWith } from "./testing/proof";

const ISSUER = { deployment: "https://pay.example.com", tenant: "acme" };
const prove = (facts: ProofFacts): ProofStatement =>
  computeProof({ ...facts, about: sampleKind(facts.request.operation) }, ISSUER).statement;
const claim = (statement: ProofStatement, name: string): ProofClaim => {
  const found = statement.claims.find((each) => each.name === name);
  if (found === undefined)
    throw new Error(`no claim ${name}; there are ${statement.claims.map((each) => each.name).join(", ")}`);
  return found;
};
const failing = (statement: ProofStatement): string[] => ofStatus(statement, "fails");
const ofStatus = (statement: ProofStatement, status: ClaimStatus): string[] =>
  statement.claims.filter((each) => each.status === status).map((each) => each.name);
const base = paidFacts();
const more = <Row>({ rows }: ProofRows<Row>, ...added: readonly Partial<Row>[]): ProofRows<Row> => {
  const [first] = rows;
  if (first === undefined) throw new Error("nothing to repeat");
  return { rows: [...rows, ...added.map((change) => ({ ...first, ...change }))] };
};
const changed = <Row>({ rows }: ProofRows<Row>, change: Partial<Row>): ProofRows<Row> => ({
  rows: rows.map((row, index) => (index === 0 ? { ...row, ...change } : row)),
});
const event = (change: Partial<ProofFacts["events"]["rows"][number]>) => ({
  id: "01a1aaaa-0000-7000-8000-0000000009ff",
  at: "2026-11-19T14:02:10.000000Z",
  type: "claimed",
  ...change,
});
const withEvents = (...added: ReturnType<typeof event>[]): ProofFacts["events"] => ({
  rows: [...base.events.rows, ...added],
});
const call = (change: Partial<ProofCall>): ProofCall => ({
  id: "01a1aaaa-0000-7000-8000-0000000008ff",
  kind: "lookup",
  providerKey: `provider_payment_${PAID.paymentId}`,
  state: "answered",
  ...change,
});
const HOOK: ProofArrival = {
  id: "hook",
  consumer: "provider-webhook",
  own: false,
  messageId: "evt",
  state: "processed",
  attempts: 1,
  duplicates: 0,
  mismatches: 0,
  says: "succeeded",
};
const NO_EFFECTS = { outbox: { rows: [] }, inbox: { rows: [] }, ledger: { rows: [] } };

describe("PROOF-1 a payment that happened once", () => {
  it("is proven, with the rows behind each claim and the counts in one sentence", () => {
    const statement = prove(base);
    expect(statement.verdict).toBe("proven");
    expect(statement.sentence).toBe(
      "Money moved once. 2 requests, 1 execution, 1 provider call, 1 event, 1 consumer, 1 ledger entry.",
    );
    expect(new Set(statement.claims.map(({ status }) => status))).toEqual(new Set(["holds"]));
    expect(claim(statement, "one_ledger_entry")).toMatchObject({
      expected: "1",
      counted: "1",
      rows: [{ table: "entries", id: PAID.entryId }],
    });
    expect(claim(statement, "executed_once").rows.length).toBeGreaterThan(0);
    expect([statement.missing, statement.notShown]).toEqual([[], []]);
  });

  it("has only texts in it, so that two programs agree on every byte", () => {
    const walk = (value: unknown): void => {
      if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
      else expect(typeof value).toBe("string");
    };
    walk(JSON.parse(JSON.stringify(prove(base))));
  });

  it("PAYMENT-6 names every stable identity, the receipt's too", () => {
    const key = `receipt_payment_${PAID.paymentId}`;
    const statement = prove({
      ...base,
      notifications: { rows: [{ id: PAID.notificationId, key, kind: "receipt", state: "pending" }] },
    });
    expect(statement.identities.map(({ name, value }) => [name, value])).toEqual([
      ["Client key", "till-7-order-88213-pay-1"],
      ["Operation", PAID.operationId],
      ["Payment", PAID.paymentId],
      ["Provider key", `provider_payment_${PAID.paymentId}`],
      ["Provider reference", "np_8Kq2"],
      ["Event", PAID.messageId],
      ["Ledger entry", PAID.entryId],
      ["Receipt key", key],
    ]);
    expect(claim(statement, "each_notification_once").status).toBe("holds");
  });

  it("holds when the first owner died and recovery settled it: nobody was answered by it", () => {
    const statement = prove({
      ...base,
      request: requestWith({ fence: 2 }),
      answers: { rows: [{ fence: 2 }] },
      events: {
        rows: [
          event({ id: "a", type: "claimed", fence: 1, requestId: "req-1" }),
          event({ id: "b", type: "taken_over", fence: 2 }),
          event({ id: "c", type: "reconciled", fence: 2, to: "COMPLETED" }),
          event({ id: "d", type: "fenced", fence: 1 }),
        ],
      },
      calls: {
        rows: [
          ...changed(base.calls, { outcome: undefined, reference: undefined, state: "sent" }).rows,
          call({ outcome: "succeeded", reference: "np_8Kq2" }),
        ],
      },
    });
    expect(statement.verdict).toBe("proven");
    expect(statement.counts).toMatchObject({ executions: "1", takeovers: "1", fencedWrites: "1", lookUps: "1" });
    expect(statement.counts.requests).toMatchObject({ total: "1", unanswered: "1" });
    expect(claim(statement, "only_the_last_owner_wrote").note).toBe("1 late write turned away by the fence.");
  });

  it("holds when it was sent twice under one provider key, and says so", () => {
    const statement = prove({ ...base, calls: more(base.calls, { id: "resend", kind: "resend" }) });
    expect(statement.verdict).toBe("proven");
    expect(claim(statement, "one_provider_key").note).toBe("Sent twice under it; the provider takes them for one.");
  });

  it("REFUSAL-2 holds when it was declined for good and ran again under the next name", () => {
    const first = call({ id: "first", kind: "charge", outcome: "declined", money: base.request.money });
    const next = `provider_payment_${PAID.paymentId}_2`;
    const facts = paidFacts({
      calls: { rows: [first, ...changed(base.calls, { providerKey: next }).rows] },
      made: changed(base.made, { providerKey: next }),
      inbox: { rows: [...base.inbox.rows, { ...HOOK, says: "failed", providerKey: first.providerKey }] },
    });
    expect(prove(facts).verdict).toBe("proven");
    expect(claim(prove(facts), "one_provider_key")).toMatchObject({
      counted: "1",
      note: "Declined for good under 1 name.",
    });
    const stray = { ...first, providerKey: "provider_payment_other" };
    expect(failing(prove({ ...facts, calls: { rows: [stray, ...facts.calls.rows.slice(1)] } }))).toContain(
      "one_provider_key",
    );
  });

  it("PROOF-5 holds when the event arrived again: at least once on the way, once in effect", () => {
    const statement = prove({ ...base, inbox: changed(base.inbox, { duplicates: 2 }) });
    expect(statement.verdict).toBe("proven");
    expect(claim(statement, "each_consumer_once").note).toBe("It arrived 2 more times and did nothing.");
  });

  it("PROOF-3 an event in a broker waits for its consumer, one for a receiver elsewhere is not ours to count", () => {
    const none = { rows: [] };
    const broker = prove({ ...base, outbox: changed(base.outbox, { to: "broker" }), inbox: none, ledger: none });
    expect(claim(broker, "each_consumer_once")).toMatchObject({
      status: "open",
      note: "A broker has the event; no consumer of ours took it yet.",
    });
    expect(claim(broker, "one_ledger_entry").note).toBe("The ledger entry is posted when the event is handled.");
    expect(broker.sentence).toMatch(/^Money moved once\. Not finished yet\./);
    const gap = { kind: "purged", before: "2026-11-20T00:00:00.000000Z" } as const;
    const old = prove({ ...base, outbox: changed(base.outbox, { to: "broker" }), inbox: { rows: [], gap } });
    expect(claim(old, "each_consumer_once").status).toBe("not_shown");
    const elsewhere = prove({ ...base, outbox: changed(base.outbox, { to: "elsewhere" }), inbox: none });
    expect(elsewhere.claims.some(({ name }) => name === "each_consumer_once")).toBe(false);
  });

  it("CONFLICT-8 shows that another command under the key never ran", () => {
    const statement = prove({
      ...base,
      events: withEvents(event({ type: "conflict", outcome: "conflict", fence: 1, requestId: "req-9" })),
    });
    expect(statement.verdict).toBe("proven");
    expect(claim(statement, "other_commands_never_ran")).toMatchObject({
      expected: "0",
      counted: "0",
      status: "holds",
    });
  });
});

describe("PROOF-2 a proof that fails visibly", () => {
  const twice: readonly (readonly [string, Partial<ProofFacts>, string])[] = [
    [
      "two ledger entries",
      { ledger: more(base.ledger, { id: "second", sourceId: PAID.paymentId }) },
      "one_ledger_entry",
    ],
    [
      "a ledger entry of another amount",
      { ledger: changed(base.ledger, { money: { minor: "4201", currency: "EUR" } }) },
      "ledger_balances",
    ],
    [
      "a ledger entry in another currency",
      { ledger: changed(base.ledger, { money: { minor: "4200", currency: "USD" } }) },
      "ledger_balances",
    ],
    [
      "a ledger entry that gives nobody anything",
      { ledger: changed(base.ledger, { creditAccount: "customer:acc_northgate_04" }) },
      "ledger_balances",
    ],
    ["a ledger entry of another row", { ledger: changed(base.ledger, { sourceId: "other" }) }, "one_ledger_entry"],
    [
      "a ledger entry under another operation",
      { ledger: changed(base.ledger, { operationId: "other" }) },
      "one_ledger_entry",
    ],
    ["no ledger entry though all consumers are done", { ledger: { rows: [] } }, "one_ledger_entry"],
    [
      "two executed events",
      { events: withEvents(event({ type: "executed", outcome: "executed", fence: 1, servedHash: "aa" })) },
      "executed_once",
    ],
    [
      "settled again under a later fence",
      { events: withEvents(event({ type: "reconciled", fence: 2, to: "COMPLETED" })) },
      "executed_once",
    ],
    [
      "two kept answers",
      {
        answers: {
          rows: [
            { fence: 1, hash: "aa" },
            { fence: 1, hash: "aa" },
          ],
        },
      },
      "one_kept_answer",
    ],
    ["a kept answer that was never served", { answers: { rows: [{ fence: 1, hash: "bb" }] } }, "one_kept_answer"],
    [
      "two provider keys",
      {
        calls: more(base.calls, {
          id: "second",
          providerKey: "provider_payment_other",
          outcome: "indefinite",
          reference: undefined,
        }),
      },
      "one_provider_key",
    ],
    [
      "two provider references",
      { calls: more(base.calls, { id: "second", reference: "np_other" }) },
      "provider_acted_once",
    ],
    [
      "no word of the provider",
      {
        calls: changed(base.calls, { outcome: "indefinite", reference: undefined }),
        made: changed(base.made, { providerReference: undefined }),
      },
      "provider_acted_once",
    ],
    [
      "a provider that says it declined",
      { calls: more(base.calls, { id: "look", kind: "lookup", outcome: "declined", reference: undefined }) },
      "provider_never_contradicts",
    ],
    [
      "a provider with another amount",
      { calls: more(base.calls, { id: "look", kind: "lookup", outcome: "contradicting" }) },
      "provider_never_contradicts",
    ],
    [
      "a call for another amount",
      { calls: changed(base.calls, { money: { minor: "42000", currency: "EUR" } }) },
      "all_of_the_first_command",
    ],
    [
      "a payment of another account",
      { made: changed(base.made, { account: "acc_other" }) },
      "all_of_the_first_command",
    ],
    [
      "a payment with another provider reference",
      { made: changed(base.made, { providerReference: "np_other" }) },
      "all_of_the_first_command",
    ],
    ["two payments", { made: more(base.made, { id: "second" }) }, "one_payment"],
    ["a payment of another order", { made: changed(base.made, { reference: "order-1" }) }, "all_of_the_first_command"],
    [
      "a payment under another provider key than the journal's",
      { made: changed(base.made, { providerKey: "provider_payment_other" }) },
      "one_provider_key",
    ],
    ["a ledger entry of another type", { ledger: changed(base.ledger, { entryType: "refund" }) }, "one_ledger_entry"],
    [
      "a ledger entry over nothing",
      {
        request: requestWith({ money: undefined }),
        ledger: changed(base.ledger, { money: { minor: "0", currency: "EUR" } }),
      },
      "ledger_balances",
    ],
    [
      "a consumer that has the event once more and has not handled that yet",
      { inbox: more(base.inbox, { id: "second", state: "recorded" }) },
      "each_consumer_once",
    ],
    ["no payment", { made: changed(base.made, { status: "failed" }) }, "one_payment"],
    ["no event", { outbox: { rows: [] }, inbox: { rows: [] } }, "one_event"],
    ["two events", { outbox: more(base.outbox, { id: "second" }) }, "one_event"],
    ["an event of another type", { outbox: changed(base.outbox, { type: "refund.succeeded" }) }, "one_event"],
    ["an event that no consumer has", { inbox: { rows: [] } }, "each_consumer_once"],
    ["an event that a person discarded", { outbox: changed(base.outbox, { state: "discarded" }) }, "delivered"],
    ["an event discarded in an inbox", { inbox: changed(base.inbox, { state: "discarded" }) }, "each_consumer_once"],
    ["a consumer with the event twice", { inbox: more(base.inbox, { id: "second" }) }, "each_consumer_once"],
    [
      "a replay with other bytes",
      { events: withEvents(event({ type: "replayed", outcome: "replayed", servedHash: "bb" })) },
      "replays_same_bytes",
    ],
    [
      "a write of a lost owner",
      { events: withEvents(event({ type: "taken_over", fence: 2 })) },
      "only_the_last_owner_wrote",
    ],
    [
      "two owners under one fence",
      { events: withEvents(event({ type: "claimed", fence: 1 })) },
      "only_the_last_owner_wrote",
    ],
    ["a key that two rows hold", { holders: [PAID.operationId, "other"] }, "one_key_row"],
    [
      "no receipt though its consumer is done",
      { inbox: more(base.inbox, { id: "receipts", consumer: "receipts" }) },
      "each_notification_once",
    ],
    [
      "a receipt twice",
      {
        notifications: {
          rows: [
            { id: "1", key: "receipt_1", kind: "receipt", state: "sent" },
            { id: "2", key: "receipt_2", kind: "receipt", state: "sent" },
          ],
        },
      },
      "each_notification_once",
    ],
  ];
  it.each(twice)("%s", (_what, change, name) => {
    const { statement, verdict } = computeProof({ ...base, ...change }, ISSUER);
    expect(failing(statement)).toContain(name);
    expect(statement.verdict).toBe("broken");
    expect(statement.sentence).toMatch(/^Proof failed\. /);
    expect(verdict.clauses[0]).toEqual({ text: "Proof failed.", tone: "broken" });
    const { note } = claim(statement, name);
    expect(note).toBeDefined();
  });

  it("an effect of another command is named for what it is", () => {
    const statement = prove({
      ...base,
      events: withEvents(event({ type: "conflict", outcome: "conflict" })),
      calls: more(base.calls, { id: "second", reference: "np_8Kq2", money: { minor: "42000", currency: "EUR" } }),
    });
    expect(claim(statement, "other_commands_never_ran")).toMatchObject({ status: "fails", counted: "1" });
  });

  it("a failure outranks what is open and what is gone", () => {
    const facts = paidFacts({
      outbox: changed(base.outbox, { state: "pending" }),
      ledger: more(base.ledger, { id: "second" }),
      events: { ...base.events, gap: { kind: "cut", limit: 1_000 } },
    });
    expect(prove(facts).verdict).toBe("broken");
  });

  it("money in the ledger before the outcome is known is a failure", () => {
    const facts = paidFacts({
      request: requestWith({ state: "UNKNOWN_REQUIRES_RECOVERY", responseStatus: undefined, completedAt: undefined }),
    });
    expect(failing(prove(facts))).toEqual(
      expect.arrayContaining(["executed_once", "one_payment", "one_event", "one_ledger_entry"]),
    );
  });
});

describe("PROOF-4 a refusal proves that nothing moved", () => {
  const declined = paidFacts({
    ...NO_EFFECTS,
    request: requestWith({ state: "FAILED_REPLAYABLE", responseStatus: 402, errorCode: "payment.insufficient_funds" }),
    calls: changed(base.calls, { outcome: "declined", reference: undefined }),
    made: changed(base.made, { status: "failed", providerReference: undefined }),
  });

  it("declined by the provider", () => {
    const statement = prove(declined);
    expect(statement.verdict).toBe("proven");
    expect(statement.sentence).toBe(
      "No money moved. The refusal is final. 2 requests, 0 executions, 1 provider call, 0 events, 0 ledger entries.",
    );
    expect(claim(statement, "one_ledger_entry")).toMatchObject({ expected: "0", counted: "0", status: "holds" });
    expect(claim(statement, "provider_did_nothing").status).toBe("holds");
  });

  it("is the same when the window of its key is over", () => {
    const request = requestWith({ state: "EXPIRED", responseStatus: 402, errorCode: "payment.insufficient_funds" });
    expect(prove({ ...declined, request })).toMatchObject({ verdict: "proven", sentence: prove(declined).sentence });
    expect(prove(paidFacts({ request: requestWith({ state: "EXPIRED" }) }))).toMatchObject({
      verdict: "proven",
      sentence: prove(base).sentence,
    });
  });

  it("refused before anything was sent", () => {
    const statement = prove({ ...declined, calls: { rows: [] }, made: { rows: [] } });
    expect(statement.verdict).toBe("proven");
    expect(claim(statement, "one_provider_key")).toMatchObject({
      text: "The provider was never asked.",
      expected: "0",
    });
  });

  it.each([
    ["an event of a refusal", { outbox: base.outbox }, "one_event"],
    ["a ledger entry of a refusal", { ledger: base.ledger }, "one_ledger_entry"],
    ["a payment of a refusal", { made: base.made }, "one_payment"],
    ["a provider that says it succeeded", { calls: base.calls }, "provider_did_nothing"],
  ] as const)("%s breaks it", (_what, change, name) => {
    const statement = prove({ ...declined, ...change });
    expect(failing(statement)).toContain(name);
    expect(statement.verdict).toBe("broken");
  });

  it("a key that ended without effect proves that, too", () => {
    const ended = {
      ...declined,
      answers: { rows: [] },
      events: {
        rows: [
          event({ fence: 1, requestId: "req-1" }),
          event({ id: "f", type: "failed", outcome: "failed", requestId: "req-1" }),
        ],
      },
    };
    const facts = {
      ...ended,
      request: requestWith({ state: "EXPIRED", responseStatus: undefined }),
      calls: changed(base.calls, { outcome: "no_effect", reference: undefined }),
      made: { rows: [] },
    };
    const statement = prove(facts);
    expect(statement.verdict).toBe("proven");
    expect(statement.sentence).toMatch(/^No money moved\. The key has expired\./);
    const before = prove({ ...facts, request: requestWith({ state: "FAILED_RETRYABLE", responseStatus: undefined }) });
    expect(before.verdict).toBe("open");
    const after = prove({
      ...facts,
      at: "2026-11-21T00:00:00.000000Z",
      request: requestWith({ state: "FAILED_RETRYABLE", responseStatus: undefined }),
    });
    expect(after.verdict).toBe("proven");
  });
});

describe("PROOF-3 an open proof says what is missing", () => {
  const unknown = paidFacts({
    ...NO_EFFECTS,
    request: requestWith({ state: "UNKNOWN_REQUIRES_RECOVERY", responseStatus: undefined, completedAt: undefined }),
    open: { stage: "PROVIDER_REQUEST_SENT", unknownSince: "2026-11-19T14:02:19.000000Z" },
    answers: { rows: [] },
    events: {
      rows: [
        event({ fence: 1, requestId: "req-1" }),
        event({ id: "u", type: "unknown", outcome: "unknown", requestId: "req-1" }),
      ],
    },
    calls: changed(base.calls, { outcome: "indefinite", reference: undefined }),
    made: changed(base.made, { status: "pending", providerReference: undefined }),
  });

  it("an unknown outcome", () => {
    const statement = prove(unknown);
    expect(statement.verdict).toBe("open");
    expect(statement.sentence).toMatch(
      /^Not settled yet\. It is not known yet whether money moved\. 1 request, 0 executions, 1 provider call/,
    );
    expect(statement.missing[0]).toBe("The provider may have acted: a look-up or a person has to settle it.");
    expect(failing(statement)).toEqual([]);
  });

  it("an unknown outcome of which the provider says that it acted", () => {
    const answered = prove({ ...unknown, calls: base.calls });
    expect(answered.sentence).toMatch(/^Not settled yet\. The provider says that it acted\. \d/);
    const signed = prove({ ...unknown, inbox: { rows: [HOOK] } });
    expect(signed.sentence).toMatch(/^Not settled yet\. The provider says that it acted\. \d/);
  });

  it("a provider that says what does not fit, while nothing is settled", () => {
    const statement = prove({
      ...unknown,
      calls: { rows: [...unknown.calls.rows, call({ outcome: "contradicting", reference: "np_8Kq2" })] },
    });
    expect(statement.verdict).toBe("open");
    expect(statement.missing).toContain("The provider says what does not fit: a look-up or a person has to settle it.");
    const both = [call({ id: "yes", outcome: "succeeded" }), call({ id: "no", outcome: "declined" })];
    expect(ofStatus(prove({ ...unknown, calls: { rows: both } }), "open")).toContain("provider_never_contradicts");
  });

  it("an owner at work, and one that fell silent", () => {
    const request = requestWith({ state: "IN_PROGRESS", responseStatus: undefined, completedAt: undefined });
    const of = (lockedUntil: string) =>
      prove({ ...unknown, request, open: { stage: "PROVIDER_REQUEST_SENT", lockedUntil } }).missing[0];
    expect(of("2026-11-19T14:43:30.000000Z")).toBe("Its owner holds the lease.");
    expect(of("2026-11-19T14:43:10.000000Z")).toBe("Its owner fell silent: recovery takes it over.");
    expect(prove({ ...unknown, request, open: undefined }).missing[0]).toBe(
      "It is in progress, and nobody holds its lease.",
    );
  });

  it("an unknown outcome of another service, which no look-up and no person of ours settles", () => {
    const request = { ...unknown.request, operation: "invoices.create" };
    expect(prove({ ...unknown, request }).missing[0]).toBe(
      "It may have acted: the service that owns it has to settle it.",
    );
  });

  it("an operation whose key a later one runs under: it holds the key under a name of its own, and no longer alone", () => {
    const statement = prove({
      ...base,
      request: requestWith({ state: "EXPIRED", setAside: true }),
    });
    expect(statement.verdict).toBe("proven");
    expect(statement.sentence).toContain("Money moved once. Its key was given to a later operation. ");
    expect(claim(statement, "one_key_row").text).toBe("One row holds the key as it was set aside.");
    expect(prove(base).sentence).not.toContain("later operation");
  });

  it("promises nothing of replays that come when the window is over", () => {
    const expired = { ...base, request: requestWith({ state: "EXPIRED", replay: "reference" }) };
    const rows = base.events.rows.map((row, index) => ({ ...row, servedHash: index === 2 ? "bb" : row.servedHash }));
    expect(claim(prove({ ...expired, events: { rows } }), "replays_same_bytes")).toMatchObject({
      text: "Each replay showed what was made as it was then.",
      note: "This operation was replayed by reference, so its bytes may differ.",
    });
  });

  it("a key that may run again is not said to have had no effect", () => {
    const request = requestWith({ state: "FAILED_RETRYABLE", responseStatus: undefined, completedAt: undefined });
    const statement = prove({ ...unknown, request, open: undefined, calls: base.calls });
    expect(failing(statement)).toContain("provider_did_nothing");
    expect(claim(statement, "executed_once").note).toBe("The same key may run again, as often as its policy lets it.");
  });

  it("a refusal that no word of the provider bears out is not said to have moved nothing", () => {
    const statement = prove({
      ...unknown,
      request: requestWith({ state: "FAILED_REPLAYABLE", responseStatus: 402 }),
      open: undefined,
      events: { rows: [event({ type: "executed", outcome: "executed", fence: 1, requestId: "req-1" })] },
      answers: { rows: [{ fence: 1, hash: "aa" }] },
      made: changed(base.made, { status: "failed", providerReference: undefined }),
      calls: {
        rows: [
          call({ id: "1", kind: "charge", outcome: "no_effect" }),
          call({ id: "2", kind: "charge", outcome: "indefinite" }),
        ],
      },
    });
    expect(statement.verdict).toBe("partial");
    expect(statement.sentence).toMatch(
      /^The provider's last word, if there is one, is not that it did nothing\. The refusal is final\. \d/,
    );
  });

  it.each([
    [
      "the ledger's consumer handled it, and another one did not",
      { inbox: more(base.inbox, { id: "r", consumer: "receipts", state: "recorded" }) },
    ],
    ["the event was discarded", { outbox: changed(base.outbox, { state: "discarded" }), inbox: { rows: [] } }],
    ["it was discarded in the ledger's inbox", { inbox: changed(base.inbox, { state: "discarded" }) }],
  ] as const)("an entry that is not on its way any more: %s", (_what, change) => {
    const statement = prove({ ...base, ledger: { rows: [] }, ...change });
    expect(claim(statement, "one_ledger_entry")).toMatchObject({
      status: "fails",
      note: "0 ledger entries where 1 belongs.",
    });
  });

  it("a receipt whose message was discarded is not on its way any more", () => {
    const inbox = more(base.inbox, { id: "r", consumer: "receipts", state: "discarded" });
    expect(claim(prove({ ...base, inbox }), "each_notification_once").status).toBe("fails");
  });

  it.each([
    [
      "an event that waits",
      { outbox: changed(base.outbox, { state: "pending", attempts: 0 }), inbox: { rows: [] }, ledger: { rows: [] } },
      "The event waits for its delivery.",
    ],
    [
      "a dead event",
      { outbox: changed(base.outbox, { state: "dead", attempts: 12 }), inbox: { rows: [] }, ledger: { rows: [] } },
      "The delivery of the event is dead after 12 attempts: a person has to requeue it.",
    ],
    [
      "a consumer that has not handled it",
      { inbox: changed(base.inbox, { state: "recorded" }), ledger: { rows: [] } },
      "A consumer has not handled the event yet.",
    ],
    [
      "a consumer that gave up",
      { inbox: changed(base.inbox, { state: "dead", attempts: 5 }), ledger: { rows: [] } },
      "The event is dead in the inbox of ledger after 5 attempts: a person has to requeue it.",
    ],
  ] as const)("%s", (_what, change, missing) => {
    const statement = prove({ ...base, ...change });
    expect(statement.verdict).toBe("open");
    expect(statement.sentence).toMatch(/^Money moved once\. Not finished yet\./);
    expect(statement.missing).toContain(missing);
    expect(statement.missing).toContain("The ledger entry is posted when the event is handled.");
  });
});

describe("PROOF-3 what is gone is never counted as proven", () => {
  it("a purged answer", () => {
    const statement = prove(
      paidFacts({ request: requestWith({ bodyPurgedAt: "2026-11-22T00:00:00.000000Z" }), answers: { rows: [] } }),
    );
    expect(statement.verdict).toBe("partial");
    expect(statement.notShown).toEqual(["The kept answer was purged on 2026-11-22."]);
    expect(statement.sentence).toMatch(/^Money moved once\. Not all of it can still be shown\./);
    expect(ofStatus(statement, "not_shown")).toEqual(["one_kept_answer"]);
  });

  it("an answer that nobody kept is nothing to compare with, and no second effect", () => {
    expect(prove(paidFacts({ answers: { rows: [] } }))).toMatchObject({
      verdict: "partial",
      notShown: ["No answer is kept to compare with."],
    });
  });

  it("an answer whose key is gone", () => {
    const statement = prove(paidFacts({ answers: { rows: [{ fence: 1, unreadable: "Its key was destroyed." }] } }));
    expect(statement).toMatchObject({ verdict: "partial", notShown: ["Its key was destroyed."] });
  });

  it.each([
    ["events", "executed_once"],
    ["calls", "provider_acted_once"],
    ["made", "one_payment"],
    ["outbox", "one_event"],
    ["inbox", "each_consumer_once"],
    ["ledger", "one_ledger_entry"],
  ] as const)("%s beyond the limit", (part, name) => {
    const facts = { ...base, [part]: { rows: base[part].rows, gap: { kind: "cut", limit: 1_000 } } };
    const statement = prove(facts);
    expect(statement.verdict).toBe("partial");
    expect(ofStatus(statement, "not_shown")).toContain(name);
    expect(statement.notShown.join(" ")).toContain("There are more than 1,000 ");
  });

  it("events past their retention are not missing events", () => {
    const gap = { kind: "purged", before: "2026-11-19" } as const;
    const statement = prove(paidFacts({ events: { rows: [], gap }, outbox: { rows: [], gap } }));
    expect(failing(statement)).toEqual([]);
    expect(statement.verdict).toBe("partial");
    expect(statement.notShown).toContain(
      "The published events from before 2026-11-19 are past their retention and may be gone.",
    );
  });

  it("a person's decision is not the provider's word", () => {
    const facts = paidFacts({
      calls: changed(base.calls, { outcome: "indefinite", reference: undefined }),
      made: changed(base.made, { providerReference: "confirmed by a person" }),
      events: withEvents(event({ type: "resolved", fence: 1, to: "COMPLETED", actor: "Mira Okafor" })),
    });
    const statement = prove(facts);
    expect(statement.verdict).toBe("partial");
    expect(statement.notShown).toEqual([
      "Mira Okafor settled it with evidence; no answer or signed event of the provider says that it acted.",
    ]);
    expect(prove({ ...facts, inbox: { rows: [...base.inbox.rows, HOOK] } }).verdict).toBe("proven");
    expect(prove({ ...facts, inbox: { rows: [...base.inbox.rows, { ...HOOK, says: "failed" }] } }).verdict).toBe(
      "broken",
    );
  });

  it.each([
    [
      "a look-up that knew nothing of it",
      [call({ id: "1", kind: "charge", outcome: "indefinite" }), call({ id: "2", kind: "lookup", outcome: "absent" })],
      "Mira Okafor settled it with evidence; the provider knew of no effect when it was asked last, and that is not final.",
    ],
    [
      "nothing that was sent",
      [call({ id: "1", kind: "charge", state: "prepared" })],
      "Mira Okafor settled it with evidence; nothing was sent that the provider could confirm.",
    ],
  ])("a person's decision beside %s", (_beside, rows, note) => {
    const facts = paidFacts({
      ...NO_EFFECTS,
      request: requestWith({ state: "FAILED_REPLAYABLE", responseStatus: 402 }),
      calls: { rows },
      made: changed(base.made, { status: "failed", providerReference: undefined }),
      events: withEvents(event({ type: "resolved", fence: 1, to: "FAILED_REPLAYABLE", actor: "Mira Okafor" })),
    });
    const statement = prove(facts);
    expect(statement).toMatchObject({ verdict: "partial", notShown: [note] });
    expect(statement.sentence).toContain("the provider has not confirmed it.");
    expect(statement.sentence).not.toContain("Not all of it can still be shown.");
  });

  it("an earlier no of the provider does not speak for a later call", () => {
    const facts = paidFacts({
      ...NO_EFFECTS,
      request: requestWith({ state: "FAILED_REPLAYABLE", responseStatus: 402 }),
      calls: {
        rows: [
          call({ id: "1", kind: "charge", outcome: "no_effect" }),
          call({ id: "2", kind: "charge", outcome: "indefinite" }),
        ],
      },
      made: changed(base.made, { status: "failed", providerReference: undefined }),
      events: withEvents(event({ type: "resolved", fence: 1, to: "FAILED_REPLAYABLE", actor: "Mira Okafor" })),
    });
    expect(prove(facts)).toMatchObject({ verdict: "partial" });
  });
});

describe("PROOF-1 other operations", () => {
  it("an account: one transaction, no provider, no money", () => {
    const statement = prove({
      ...base,
      request: requestWith({
        operation: "accounts.create",
        money: undefined,
        reference: undefined,
        resourceType: "account",
      }),
      events: { rows: base.events.rows.slice(1) },
      calls: { rows: [] },
      made: { rows: [{ kind: "account", id: "acc_northgate_04", account: "acc_northgate_04" }] },
      outbox: changed(base.outbox, { type: "account.opened" }),
      ledger: { rows: [] },
    });
    expect(statement.verdict).toBe("proven");
    expect(statement.sentence).toBe("The account was opened once. 2 requests, 1 execution, 1 event, 1 consumer.");
    expect(statement.claims.some(({ name }) => name.includes("provider"))).toBe(false);
  });

  it("an action of the console leaves no event and no money", () => {
    const facts = paidFacts({
      ...NO_EFFECTS,
      request: requestWith({
        operation: "admin.operations.reconcile",
        money: undefined,
        reference: undefined,
        account: undefined,
      }),
      calls: { rows: [] },
      made: { rows: [] },
    });
    expect(prove(facts)).toMatchObject({
      verdict: "proven",
      sentence: "The action ran once. 2 requests, 1 execution, 0 events.",
    });
    expect(failing(prove({ ...facts, ledger: base.ledger }))).toContain("one_ledger_entry");
  });

  it("an operation of another service is judged by what holds for all of them", () => {
    const facts = paidFacts({
      ...NO_EFFECTS,
      request: requestWith({ operation: "invoices.send", money: undefined }),
      calls: { rows: [] },
      made: { rows: [] },
    });
    expect(prove(facts)).toMatchObject({
      verdict: "proven",
      sentence: "It ran once. 2 requests, 1 execution, 0 events.",
    });
    expect(
      failing(
        prove({
          ...facts,
          events: withEvents(event({ type: "executed", outcome: "executed", fence: 1, servedHash: "aa" })),
        }),
      ),
    ).toContain("executed_once");
  });

  it("an event of another service that went to a receiver outside is delivered, and that is all we know", () => {
    const facts = paidFacts({
      request: requestWith({ operation: "invoices.send" }),
      made: { rows: [] },
      inbox: { rows: [] },
      ledger: { rows: [] },
    });
    const statement = prove(facts);
    expect(statement.verdict).toBe("proven");
    expect(claim(statement, "delivered").status).toBe("holds");
    expect(claim(statement, "provider_acted_once").text).toBe("The provider acted once.");
    expect(statement.claims.some(({ name }) => name === "each_consumer_once")).toBe(false);
  });

  it("a request without an id is counted once, answered or not", () => {
    const claimed = (fence: number) => event({ id: `c${String(fence)}`, fence });
    const report = (fence: number) => event({ id: `t${String(fence)}`, type: "failed", outcome: "failed", fence });
    const of = (...rows: ReturnType<typeof event>[]) => prove(paidFacts({ events: { rows } })).counts.requests;
    expect(of(claimed(1))).toMatchObject({ total: "1", unanswered: "1" });
    expect(of(claimed(1), report(1), claimed(2))).toMatchObject({ total: "2", failed: "1", unanswered: "1" });
    expect(of(claimed(1), event({ id: "r", type: "replayed", outcome: "replayed" }))).toMatchObject({ total: "2" });
  });

  it("a replay by reference may have other bytes", () => {
    const facts = paidFacts({
      request: requestWith({ replay: "reference" }),
      answers: { rows: [] },
      events: withEvents(event({ type: "replayed", outcome: "replayed", servedHash: "bb" })),
    });
    expect(prove(facts).verdict).toBe("proven");
  });
});
