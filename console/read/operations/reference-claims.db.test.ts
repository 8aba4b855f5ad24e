import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { displayMoney } from "@/domain/money";
import { statements, type ClaimStatement } from "@/presentation/reference/claim";
import { CUSTOMER, customerText } from "@/presentation/reference/customer-text";
import { headline } from "@/presentation/reference/headline";
import { effectLane } from "@/presentation/reference/lanes";
import { lede } from "@/presentation/reference/lede";
import {
  KEY_FATES,
  REFUND_FATES,
  referenceMaker,
  type KeyFate,
  type RefundFate,
} from "@/console/testing/make-reference";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { readReference, readReferenceFacts } from "./read-reference";

let desk: Desk;
let make: ReturnType<typeof referenceMaker>;
beforeAll(async () => {
  desk = await openDesk();
  make = referenceMaker(desk);
});
afterAll(() => desk.close());

interface Wanted {
  readonly fate: KeyFate;
  readonly minor: bigint;
  readonly refunds: readonly RefundFate[];
}

/** What the rows of one reference come to, straight from the tables: counts of keys, and sums of minor units by currency. */
interface Books {
  readonly keys: number;
  readonly moved: number;
  readonly charges: number;
  readonly by_hand: number;
  readonly refused_by_hand: number;
  readonly unknown: number;
  /** Of the unknown: its owner works on it now. */
  readonly running: number;
  readonly none: number;
  readonly none_sent: number;
  readonly charged: Readonly<Record<string, string>>;
  readonly refunded: Readonly<Record<string, string>>;
  readonly refunds_unknown: Readonly<Record<string, string>>;
  readonly refunds_by_hand: Readonly<Record<string, string>>;
  readonly unposted: Readonly<Record<string, string>>;
  readonly posted_wrong: number;
}

/** Says by the tables alone what became of each key; shares nothing with what the page computes. */
const BOOKS = `with k as (
    select r.operation_id, r.amount_minor, r.currency, 'payment' as kind, r.state, r.error_code from onceboard.idempotency_requests r
    where r.tenant_id = 'acme' and r.reference = $1 and r.operation = 'payments.create'
    union all
    select r.operation_id, r.amount_minor, r.currency, 'refund', r.state, r.error_code from onceboard.idempotency_requests r
    where r.tenant_id = 'acme' and r.operation = 'refunds.create' and r.reference in
      (select p.id::text from payments.payments p where p.merchant_reference = $1)),
  f as (select k.*,
    coalesce((select p.status from payments.payments p where p.operation_id = k.operation_id), (select x.status from payments.refunds x where x.operation_id = k.operation_id)) as booked,
    (select count(distinct c.provider_reference) from onceboard.provider_requests c where c.operation_id = k.operation_id and c.outcome = 'succeeded') as made,
    exists (select 1 from onceboard.provider_requests c where c.operation_id = k.operation_id and c.outcome = 'declined') as declined,
    exists (select 1 from onceboard.provider_requests c where c.operation_id = k.operation_id and c.kind <> 'lookup' and c.state <> 'prepared') as sent,
    exists (select 1 from onceboard.inbox_messages m where m.operation_id = k.operation_id and m.payload #>> '{data,status}' = 'succeeded') as hooked,
    exists (select 1 from onceboard.idempotency_open o where o.operation_id = k.operation_id) as open,
    exists (select 1 from onceboard.idempotency_open o where o.operation_id = k.operation_id and o.locked_until > now()) as running,
    (select a.evidence ->> 'decision' from onceboard.audit_entries a where a.subject_id = k.operation_id::text and a.action = 'operations.resolve' limit 1) as decided,
    (select count(*) from payments.ledger_entries l where l.operation_id = k.operation_id) as entries
    from k),
  v as (select f.*, case
      when made > 0 then 'moved'
      when booked in ('succeeded', 'voided') and decided = 'succeeded' and not hooked then 'by_hand'
      when booked in ('succeeded', 'voided') then 'moved'
      when open then 'unknown'
      when hooked then 'unknown'
      when decided = 'failed' and not declined then 'refused_by_hand'
      else 'none' end as fate from f),
  s as (select kind, fate, currency, sum(amount_minor * greatest(made, 1))::text as minor from v group by 1, 2, 3)
  select (select count(*)::int from v where kind = 'payment') as keys,
    (select count(*)::int from v where kind = 'payment' and fate = 'moved') as moved,
    (select coalesce(sum(greatest(made, 1)), 0)::int from v where kind = 'payment' and fate = 'moved') as charges,
    (select count(*)::int from v where kind = 'payment' and fate = 'by_hand') as by_hand,
    (select count(*)::int from v where kind = 'payment' and fate = 'refused_by_hand') as refused_by_hand,
    (select count(*)::int from v where kind = 'payment' and fate = 'unknown') as unknown,
    (select count(*)::int from v where kind = 'payment' and fate = 'none' and sent) as none_sent,
    (select count(*)::int from v where kind = 'payment' and fate = 'none') as none,
    (select count(*)::int from v where kind = 'payment' and fate = 'unknown' and running) as running,
    (select coalesce(jsonb_object_agg(currency, minor), '{}') from s where kind = 'payment' and fate = 'moved') as charged,
    (select coalesce(jsonb_object_agg(currency, minor), '{}') from s where kind = 'refund' and fate = 'moved') as refunded,
    (select coalesce(jsonb_object_agg(currency, minor), '{}') from s where kind = 'refund' and fate = 'unknown') as refunds_unknown,
    (select coalesce(jsonb_object_agg(currency, minor), '{}') from s where kind = 'refund' and fate = 'by_hand') as refunds_by_hand,
    (select coalesce(jsonb_object_agg(currency, minor), '{}') from
      (select currency, sum(amount_minor)::text as minor from v where fate in ('moved', 'by_hand') and entries = 0 group by 1) u) as unposted,
    (select count(*)::int from v where entries > 0 and fate not in ('moved', 'by_hand')) as posted_wrong`;

async function booksOf(reference: string): Promise<Books> {
  const [books] = await desk.rows<Books>(BOOKS, reference);
  if (books === undefined) throw new Error("no books");
  return books;
}

const sumWords = (sums: Readonly<Record<string, string>>): string =>
  Object.entries(sums)
    .map(([currency, minor]) => displayMoney(BigInt(minor), currency))
    .sort()
    .join(" and ");
const often = (count: number): string => (count === 1 ? "once" : count === 2 ? "twice" : `${String(count)} times`);
const are = (count: number, word: string): string =>
  count === 1 ? word : word.replace(/^was /, "were ").replace(/^is /, "are ");
function keysOf(b: Books): string {
  const found = [
    [b.moved, "moved money"],
    [b.by_hand, "was settled by hand as charged"],
    [b.refused_by_hand, "was settled by hand as not charged"],
    [b.unknown - b.running, "is unknown"],
    [b.running, "is in progress"],
  ] as const;
  const words = found.flatMap(([count, word]) => (count === 0 ? [] : [`${String(count)} ${are(count, word)}`]));
  const extra = b.charges - b.moved;
  const tail = extra === 0 ? [] : [`${String(extra)} charge${extra === 1 ? "" : "s"} more than keys`];
  if (words.length === 0)
    return b.keys === 1 ? "its only key moved no money" : `none of ${String(b.keys)} keys moved money`;
  const all = [...words, ...tail].join(", ");
  return b.keys === 1 ? all.replace("1 ", "its only key ") : all.replace(/^(\d+) /, `$1 of ${String(b.keys)} keys `);
}

/** Whether a sentence is true by the books. A sentence that is not here fails: there is none without its check. */
const TRUE: Readonly<Record<string, (said: ClaimStatement, books: Books) => boolean>> = {
  charged_once: ({ text }, b) =>
    b.charges === 1 && b.unknown + b.by_hand + b.refused_by_hand === 0 && text === `Charged once: ${keysOf(b)}.`,
  charged_again: ({ text }, b) =>
    b.charges > 1 &&
    b.unknown + b.by_hand + b.refused_by_hand === 0 &&
    text === `Charged ${often(b.charges)}: ${keysOf(b)}.`,
  not_charged: ({ text }, b) =>
    b.charges + b.unknown + b.by_hand + b.refused_by_hand === 0 && text === `Not charged: ${keysOf(b)}.`,
  charged_at_most: ({ text }, b) =>
    b.unknown > 0 &&
    text === `Charged at most ${often(b.charges + b.unknown + b.by_hand + b.refused_by_hand)}: ${keysOf(b)}.`,
  recorded_by_hand: ({ text }, b) =>
    b.unknown === 0 &&
    b.by_hand + b.refused_by_hand > 0 &&
    text ===
      `Recorded as ${b.charges + b.by_hand === 0 ? "not charged" : `charged ${often(b.charges + b.by_hand)}`}: ${keysOf(b)}.`,
  not_confirmed: (_, b) => b.by_hand + b.refused_by_hand > 0,
  each_customer_once: (_, b) => b.charges > 1 && b.charges === b.moved,
  refund_unknown: ({ text }, b) => text.includes(sumWords(b.refunds_unknown)) && sumWords(b.refunds_unknown) !== "",
  ledger_late: ({ text }, b) => text === `Ledger not posted for ${sumWords(b.unposted)}.`,
  ledger_due: ({ text }, b) =>
    text === `The ledger has not posted ${sumWords(b.unposted)} yet.` && sumWords(b.unposted) !== "",
  ledger_differs: (_, b) => b.posted_wrong > 0,
  ledger_agrees: (_, b) => sumWords(b.unposted) === "" && b.posted_wrong === 0,
  others_never_sent: ({ text }, b) =>
    b.none_sent === 0 && text.startsWith(`The other ${b.none === 1 ? "key " : `${String(b.none)} keys `}`),
  refunded: ({ text }, b) => text === `${sumWords(b.refunded)} was refunded.`,
  given_back_by_hand: ({ text }, b) =>
    text.startsWith(sumWords(b.refunds_by_hand)) && sumWords(b.refunds_by_hand) !== "",
  refunded_more: () => false,
  tell_charged: ({ text }, b) => text.includes(`was charged ${often(b.charges)}:`),
  tell_not_charged: (_, b) => b.charges + b.unknown + b.by_hand + b.refused_by_hand === 0,
  tell_by_hand: ({ text }, b) => b.by_hand > 0 && text.includes("has not confirmed it"),
  tell_refused_by_hand: ({ text }, b) => b.refused_by_hand > 0 && text.includes("has not confirmed it"),
  tell_nothing_moved: ({ text }, b) => {
    return b.none > 0 && (b.none === 1 ? text.startsWith("One ") : text.startsWith(`${String(b.none)} `));
  },
  tell_unknown: ({ text }, b) =>
    b.unknown > 0 && text.split("We do not know yet").length - 1 === Math.min(b.unknown, 4),
  tell_given_back: (_, b) => sumWords(b.refunded) !== "",
  tell_given_back_unknown: (_, b) => sumWords(b.refunds_unknown) !== "",
};

/** @returns the sentences that are not true by the books */
function falseOf(said: readonly ClaimStatement[], books: Books): readonly string[] {
  return said.filter((each) => TRUE[each.name]?.(each, books) !== true).map(({ name, text }) => `${name}: ${text}`);
}

/** What each fate means for the money of its key, as whoever made the rows knows it. */
const MEANS: Readonly<Record<KeyFate, readonly [said: string, result: RegExp]>> = {
  charged: ["Charged", /^\+€/],
  charged_expired: ["Charged", /^\+€/],
  charged_conflict: ["Charged", /^\+€/],
  charged_not_posted: ["Charged, not in the ledger yet", /^\+€/],
  charged_not_settled: ["Charged, not in the ledger yet", /^\+€/],
  charged_twice: ["Charged twice at the provider", /^\+€/],
  declined: ["Declined: insufficient funds", /^nothing$/],
  refused_duplicate: ["Refused: the reference had a payment already", /^nothing$/],
  may_retry: ["Failed without effect", /^nothing$/],
  in_progress: ["In progress", /^at most \+€/],
  stale: ["Unknown: sent to the provider, no final answer", /^at most \+€/],
  unknown: ["Unknown: sent to the provider, no final answer", /^at most \+€/],
  hand_charged: ["Settled by hand as charged, the provider has not confirmed it", /^\+€.* by hand$/],
  hand_charged_confirmed: ["Charged, not in the ledger yet", /^\+€/],
  hand_refused: ["Settled by hand as not charged, the provider has not confirmed it", /^nothing, by hand$/],
  hand_refused_declined: ["Refused: payment.declined", /^nothing$/],
  hand_refused_contradicted: ["Our books say no, a signed webhook says it succeeded", /^at most \+€/],
  hand_refused_charged: ["Charged, not in the ledger yet", /^\+€/],
};

const CHARGED: readonly KeyFate[] = ["charged", "charged_conflict", "charged_expired"];
const wanted: fc.Arbitrary<Wanted> = fc.record({
  fate: fc.constantFrom(...KEY_FATES),
  minor: fc.bigInt({ min: 400n, max: 99_999_999_999_999n }),
  refunds: fc.array(fc.constantFrom(...REFUND_FATES), { maxLength: 3 }),
});

let made = 0;
/** Each key is another customer's: one customer has one payment that did not fail under a reference. */
async function makeAll(
  keys: readonly Wanted[],
  account: (index: number) => string = (index) => `acc_${String(index)}`,
): Promise<string> {
  made += 1;
  const reference = `order-${String(made)}-${uuidv7().slice(-6)}`;
  for (const [index, { fate, minor, refunds }] of keys.entries()) {
    const key = await make.key(fate, { reference, account: account(index), amountMinor: minor, currency: "EUR" });
    for (const refund of CHARGED.includes(fate) ? refunds : []) await make.refund(refund, key, minor / 4n);
  }
  return reference;
}

async function everySentence(reference: string): Promise<readonly ClaimStatement[]> {
  const facts = await readReferenceFacts(desk.context("viewer"), { reference });
  if (facts === undefined) throw new Error("nothing was read");
  return [...headline(facts), ...lede(facts), ...statements(CUSTOMER, facts)];
}

describe("REFERENCE-1 every sentence about a reference is true by its rows", () => {
  it.each(KEY_FATES)("one key: %s", async (fate) => {
    const reference = await makeAll([{ fate, minor: 8_450n, refunds: [] }]);
    const facts = await readReferenceFacts(desk.context("viewer"), { reference });
    const [payment] = facts?.payments ?? [];
    if (payment === undefined) throw new Error("no key was read");
    const lane = effectLane(payment, "Key 1");
    expect(lane.outcome.text).toBe(MEANS[fate][0]);
    expect(lane.result.text).toMatch(MEANS[fate][1]);
    expect(falseOf(await everySentence(reference), await booksOf(reference))).toEqual([]);
  });

  it("keys in every combination of states, refunds and decisions", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wanted, { minLength: 1, maxLength: 5 }), async (keys) => {
        const reference = await makeAll(keys);
        const books = await booksOf(reference);
        expect(books.keys).toBe(keys.length);
        const said = await everySentence(reference);
        expect(falseOf(said, books)).toEqual([]);
        const view = await readReference(desk.context("viewer"), { reference });
        expect(view?.verdict.text).toContain(said[0]?.text ?? "nothing was said");
        const total = view?.totals.find(({ charged }) => charged.currency === "EUR");
        // Also what is recorded by hand is in the total: the headline says so.
        if (books.by_hand === 0) expect(total?.charged.minor ?? "0").toBe(books.charged["EUR"] ?? "0");
      }),
      { numRuns: 40, seed: 20_261_123, endOnFailure: true },
    );
  });

  it("sees a false sentence", async () => {
    const reference = await makeAll([
      { fate: "charged", minor: 8_450n, refunds: ["refunded"] },
      { fate: "unknown", minor: 8_450n, refunds: [] },
    ]);
    const books = await booksOf(reference);
    const [first] = await everySentence(reference);
    expect(first?.text).toBe("Charged at most twice: 1 of 2 keys moved money, 1 is unknown.");
    const planted: ClaimStatement[] = [
      { name: "charged_once", text: "Charged once: 1 of 2 keys moved money.", tone: "fine" },
      { name: "charged_at_most", text: "Charged at most once: 1 of 2 keys moved money, 1 is unknown.", tone: "doubt" },
      { name: "refunded", text: "€84.50 was refunded.", tone: "fine" },
      { name: "a_new_one", text: "All is well.", tone: "fine" },
    ];
    expect(falseOf(planted, books)).toHaveLength(planted.length);
  });

  it("says whether it was charged twice: two keys of one customer, and one key each of two", async () => {
    const once = { minor: 8_450n, refunds: [] } as const;
    const one = await makeAll(
      [
        { fate: "hand_refused_charged", ...once },
        { fate: "charged", ...once },
      ],
      () => "acc_1",
    );
    const twice = await readReference(desk.context("viewer"), { reference: one });
    expect(twice?.verdict.clauses[0]).toEqual({ text: "Charged twice: 2 of 2 keys moved money.", tone: "broken" });
    const two = await makeAll([
      { fate: "charged", ...once },
      { fate: "charged", ...once },
    ]);
    const each = await readReference(desk.context("viewer"), { reference: two });
    expect(each?.verdict.clauses[0]).toEqual({ text: "Charged twice: 2 of 2 keys moved money.", tone: "doubt" });
    expect(each?.verdict.text).toContain("2 customers use this reference, none was charged twice.");
    expect(each?.customerText).toBeUndefined();
    const alone = await readReference(desk.context("viewer"), { reference: two, customer: "acc_1" });
    expect(alone?.verdict.text).toBe("Charged once: its only key moved money.");
  });

  it("names no value of a refused command", async () => {
    const reference = await makeAll([{ fate: "charged_conflict", minor: 8_450n, refunds: [] }]);
    const view = await readReference(desk.context("admin"), { reference });
    expect(JSON.stringify(view)).toContain("amount differs");
    expect(JSON.stringify(view)).not.toMatch(/987,?654,?321/);
    const facts = await readReferenceFacts(desk.context("viewer"), { reference });
    expect(facts === undefined ? undefined : customerText(facts)).toMatch(
      /^Your order .* was charged once: €84\.50 on /,
    );
  });
});
