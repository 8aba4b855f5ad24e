import { describe, expect, it } from "vitest";
import type { ProofFacts } from "@/domain/checks/proof-facts";
import { computeProof } from "./proof";
import type { ProofClaim, ProofStatement } from "./proof-statement";
import { paidFacts, requestWith } from "./testing/proof";

const prove = (facts: ProofFacts): ProofStatement =>
  computeProof(facts, { deployment: "https://pay.example.com", tenant: "acme" }).statement;
const claim = (facts: ProofFacts, name: string): Pick<ProofClaim, "text" | "status" | "note"> => {
  const found = prove(facts).claims.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no claim ${name}`);
  return found;
};
const base = paidFacts();
const [CALL] = base.calls.rows;
const [MADE] = base.made.rows;
const [EVENT] = base.outbox.rows;
const [ENTRY] = base.ledger.rows;
if (CALL === undefined || MADE === undefined || EVENT === undefined || ENTRY === undefined) throw new Error("no rows");

const NO_EFFECTS = { outbox: { rows: [] }, inbox: { rows: [] }, ledger: { rows: [] } };
const OPEN = { responseStatus: undefined, completedAt: undefined } as const;
const YES = { rows: [CALL] };
const NO = { rows: [{ ...CALL, outcome: "declined" as const, reference: undefined }] };
const NOBODY_KNOWS = { rows: [{ ...CALL, outcome: "indefinite" as const, reference: undefined }] };
/** Refused, with nothing left behind but what the provider said. */
const refused = (operation: string, calls: ProofFacts["calls"]): ProofFacts =>
  paidFacts({
    ...NO_EFFECTS,
    calls,
    made: { rows: [] },
    request: requestWith({ operation, state: "FAILED_REPLAYABLE", responseStatus: 402 }),
  });
/** Rows of an operation of another service are none of ours. */
const madeOf = (operation: string) => (operation === "invoices.send" ? [] : base.made.rows);
/** Sent, and nobody knows what became of it. */
const unknown = (operation: string, calls: ProofFacts["calls"]): ProofFacts =>
  paidFacts({
    ...NO_EFFECTS,
    calls,
    answers: { rows: [] },
    events: { rows: [] },
    made: { rows: madeOf(operation).map((row) => ({ ...row, status: "pending" })) },
    request: requestWith({ operation, state: "UNKNOWN_REQUIRES_RECOVERY", ...OPEN }),
  });

const KINDS = [
  {
    operation: "payments.create",
    none: "No money moved.",
    doubt: "It is not known yet whether money moved.",
    acted: "The provider moved it once.",
    idle: "The provider moved nothing.",
  },
  {
    operation: "refunds.create",
    none: "No money was given back.",
    doubt: "It is not known yet whether money was given back.",
    acted: "The provider gave it back once.",
    idle: "The provider gave nothing back.",
  },
  {
    operation: "payments.void",
    none: "Nothing was voided.",
    doubt: "It is not known yet whether the payment was voided.",
    acted: "The provider voided it once.",
    idle: "The provider voided nothing.",
  },
  {
    operation: "invoices.send",
    none: "It did not run.",
    doubt: "It is not known yet whether it ran.",
    acted: "The provider acted once.",
    idle: "The provider did nothing.",
  },
  {
    operation: "accounts.create",
    none: "No account was opened.",
    doubt: "It is not known yet whether the account was opened.",
  },
  { operation: "admin.plans.start", none: "The action did not run.", doubt: "The action has not ended yet." },
];

describe("TRUTH-1 what a proof says of each kind of operation", () => {
  it.each(KINDS)("$operation: that nothing happened, of a refusal alone", ({ operation, none, acted }) => {
    const calls = acted === undefined ? { rows: [] } : NO;
    expect(prove(refused(operation, calls)).sentence.startsWith(none)).toBe(true);
    expect(prove(unknown(operation, calls)).sentence).not.toContain(none);
    const made = paidFacts({ ...NO_EFFECTS, calls, request: requestWith({ operation }) });
    expect(prove(made).sentence).not.toContain(none);
  });

  it.each(KINDS)("$operation: that nobody knows, while nobody does", ({ operation, doubt, acted }) => {
    const calls = acted === undefined ? { rows: [] } : NOBODY_KNOWS;
    expect(prove(unknown(operation, calls)).sentence).toContain(doubt);
    expect(prove(refused(operation, calls)).sentence).not.toContain(doubt);
    if (acted !== undefined) expect(prove(unknown(operation, YES)).sentence).not.toContain(doubt);
  });

  it.each(KINDS.filter(({ acted }) => acted !== undefined))(
    "$operation: what the provider did, counted",
    ({ operation, acted, idle }) => {
      const request = requestWith({ operation });
      const of = (calls: ProofFacts["calls"]) =>
        claim(paidFacts({ request, calls, made: { rows: madeOf(operation) } }), "provider_acted_once");
      expect(of(YES)).toMatchObject({ text: acted, status: "holds" });
      expect(of({ rows: [CALL, { ...CALL, reference: "np_other" }] })).toMatchObject({ text: acted, status: "fails" });
      expect(of(NOBODY_KNOWS)).toMatchObject({ text: acted, status: "fails" });
      const none = (calls: ProofFacts["calls"]) => claim(refused(operation, calls), "provider_did_nothing");
      expect(none(NO)).toMatchObject({ text: idle, status: "holds" });
      expect(none(YES)).toMatchObject({ text: idle, status: "fails" });
      expect(none(NOBODY_KNOWS)).toMatchObject({
        text: idle,
        status: "not_shown",
        note: "The provider's last word, if there is one, is not that it did nothing.",
      });
    },
  );
});

/** What a claim says, and a change of the rows with which that is not so any more. */
const TEXTS: readonly (readonly [string, string, ProofFacts, Partial<ProofFacts>])[] = [
  [
    "all_of_the_first_command",
    "Account, amount and references are those of the first command everywhere.",
    base,
    { made: { rows: [{ ...MADE, account: "acc_other" }] } },
  ],
  [
    "ledger_balances",
    "It balances, in the amount of the command.",
    base,
    { ledger: { rows: [{ ...ENTRY, creditAccount: ENTRY.debitAccount }] } },
  ],
  [
    "only_the_last_owner_wrote",
    "No owner wrote after it had lost the operation.",
    base,
    { answers: { rows: [{ fence: 0, hash: "aa" }] } },
  ],
  [
    "provider_never_contradicts",
    "Nothing that the provider said contradicts it.",
    base,
    { calls: { rows: [CALL, { ...CALL, id: "no", outcome: "declined" }] } },
  ],
  [
    "refused_once",
    "Refused for good, once.",
    refused("payments.create", NO),
    { answers: { rows: [{ fence: 1 }, { fence: 2 }] } },
  ],
  [
    "one_kept_answer",
    "One answer is kept.",
    paidFacts({ events: { rows: [] } }),
    { answers: { rows: [{ fence: 1 }, { fence: 1 }] } },
  ],
  [
    "one_kept_answer",
    "The kept answer is the one that was served.",
    base,
    { answers: { rows: [{ fence: 1, hash: "bb" }] } },
  ],
  [
    "each_notification_once",
    "One receipt was written.",
    paidFacts({ notifications: { rows: [{ id: "1", key: "receipt_1", kind: "receipt", state: "sent" }] } }),
    { notifications: { rows: [] }, inbox: { rows: base.inbox.rows.map((row) => ({ ...row, consumer: "receipts" })) } },
  ],
];
const NOTICE = { id: "2", key: "notice_1", kind: "notice", state: "sent" } as const;
const RECEIPT = { id: "1", key: "receipt_1", kind: "receipt", state: "sent" } as const;

describe("TRUTH-1 what a proof says of the rows", () => {
  it.each(TEXTS)("%s: %s", (name, text, facts, change) => {
    expect(claim(facts, name)).toMatchObject({ text, status: "holds" });
    expect(claim({ ...facts, ...change }, name)).toMatchObject({ text, status: "fails" });
  });

  it("of several events and messages, each", () => {
    const second = { ...EVENT, id: "second" };
    const delivered = (state: typeof EVENT.state) =>
      claim(paidFacts({ outbox: { rows: [EVENT, { ...second, state }] } }), "delivered");
    expect(delivered("published")).toMatchObject({ text: "All of them were delivered.", status: "holds" });
    expect(delivered("pending")).toMatchObject({ text: "All of them were delivered.", status: "open" });
    const written = (...rows: ProofFacts["notifications"]["rows"]) =>
      claim(paidFacts({ notifications: { rows } }), "each_notification_once");
    const once = "Each message to a person was written once.";
    expect(written(RECEIPT, NOTICE)).toMatchObject({ text: once, status: "holds" });
    expect(written(RECEIPT, { ...RECEIPT, id: "3" })).toMatchObject({ text: once, status: "fails" });
  });
});

/** Why a claim does not hold, and a change of the rows with which that is not the reason any more. */
const NOTES: readonly (readonly [string, string, ProofFacts, Partial<ProofFacts>])[] = [
  [
    "delivered",
    "A person discarded the event: it is no longer sent.",
    paidFacts({ outbox: { rows: [{ ...EVENT, state: "discarded" }] } }),
    { outbox: { rows: [{ ...EVENT, state: "dead" }] } },
  ],
  ...[{ operationId: "other" }, { sourceId: "other" }, { entryType: "refund" }].map(
    (change) =>
      [
        "one_ledger_entry",
        "The ledger entry names another operation, another row or another type.",
        paidFacts({ ledger: { rows: [{ ...ENTRY, ...change }] } }),
        { ledger: { rows: [] } },
      ] as const,
  ),
  ...[{ money: { minor: "1", currency: "EUR" } }, { creditAccount: ENTRY.debitAccount }].map(
    (change) =>
      [
        "ledger_balances",
        "The ledger has another amount than the command, or does not balance.",
        paidFacts({ ledger: { rows: [{ ...ENTRY, ...change }] } }),
        { ledger: base.ledger },
      ] as const,
  ),
  [
    "one_kept_answer",
    "The kept answer is not the one that was served.",
    paidFacts({ answers: { rows: [{ fence: 1, hash: "bb" }] } }),
    {
      answers: {
        rows: [
          { fence: 1, hash: "aa" },
          { fence: 1, hash: "aa" },
        ],
      },
    },
  ],
  [
    "each_notification_once",
    "The receipt is written when the event is handled.",
    paidFacts({ inbox: { rows: base.inbox.rows.map((row) => ({ ...row, consumer: "receipts", state: "recorded" })) } }),
    { inbox: { rows: base.inbox.rows.map((row) => ({ ...row, consumer: "receipts" })) } },
  ],
  [
    "one_provider_key",
    "Nothing is prepared for the provider yet.",
    { ...unknown("payments.create", { rows: [] }), made: { rows: [] } },
    { calls: NOBODY_KNOWS },
  ],
  [
    "provider_acted_once",
    "No final word of the provider has been turned into an answer yet.",
    unknown("payments.create", YES),
    { request: base.request },
  ],
  ["one_payment", "Depends on the outcome.", unknown("payments.create", NOBODY_KNOWS), { request: base.request }],
];

describe("TRUTH-1 why a proof does not hold or is open", () => {
  it.each(NOTES)("%s: %s", (name, note, facts, change) => {
    expect(claim(facts, name).note).toBe(note);
    expect(claim({ ...facts, ...change }, name).note).not.toBe(note);
  });

  it("one key that is only prepared was not asked under, and several only after a decline", () => {
    const asked = (...rows: ProofFacts["calls"]["rows"]) =>
      claim(unknown("payments.create", { rows }), "one_provider_key").text;
    const never = "One key was prepared for the provider, and nothing was sent to it.";
    expect(asked({ ...CALL, state: "prepared", outcome: undefined, reference: undefined })).toBe(never);
    expect(asked({ ...CALL, state: "sent", outcome: undefined, reference: undefined })).toBe(
      "The provider was asked to move money under one key.",
    );
    expect(asked({ ...CALL, outcome: "declined" }, { ...CALL, providerKey: `${CALL.providerKey}_2` })).toBe(
      "The provider was asked under a new key only after it had declined.",
    );
  });
});
