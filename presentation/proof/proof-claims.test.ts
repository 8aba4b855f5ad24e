import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProofFacts, ProofGap } from "@/domain/checks/proof-facts";
import { computeProof } from "./proof";
import type { ProofClaim } from "./proof-statement";
import { proofWorlds } from "./testing/proof-worlds";

/**
 * What each sentence of a proof that is filled with what was found means, counted anew from the rows. What a text says must be so where
 * its claim holds, and must not be so where it fails; a note must always be so.
 */
type Oracle = (facts: ProofFacts, captured: readonly string[], claim: ProofClaim) => boolean;

const ISSUER = { deployment: "https://pay.example.com", tenant: "acme" };
const RUNS = 3_000;
/** Kinds of operations that this deployment settles. */
const OUR_KINDS = /^(?:payments\.create|refunds\.create|payments\.void|accounts\.create|admin\..*)$/;

const number = (text = "0"): number =>
  text === "once" ? 1 : text === "twice" ? 2 : Number(text.replace(/,| times$/g, ""));
const own = ({ inbox, outbox }: ProofFacts) =>
  inbox.rows.filter(
    (row) => row.own && (outbox.rows.length === 0 || outbox.rows.some(({ id }) => id === row.messageId)),
  );
const eventsOf = ({ events }: ProofFacts, ...types: readonly string[]) =>
  events.rows.filter(({ type }) => types.includes(type));
const served = ({ events }: ProofFacts) => events.rows.flatMap(({ servedHash }) => servedHash ?? []);
const conflicts = ({ events }: ProofFacts) => events.rows.filter(({ outcome }) => outcome === "conflict").length;
const decided = (facts: ProofFacts) =>
  eventsOf(facts, "resolved")
    .filter(({ fence }) => fence === facts.request.fence)
    .at(-1);
const moves = ({ calls }: ProofFacts) => calls.rows.filter(({ kind }) => kind !== "lookup");

/** Handled once by each consumer that has it, per event. */
function handledOnce(facts: ProofFacts): boolean {
  const handled = own(facts);
  const places = handled.map(({ consumer, messageId }) => `${consumer} of ${messageId}`);
  return (
    handled.length > 0 && new Set(places).size === places.length && handled.every(({ state }) => state === "processed")
  );
}
const consumers = (facts: ProofFacts) => new Set(own(facts).map(({ consumer }) => consumer));
const arrived = (facts: ProofFacts) => new Set(own(facts).map(({ messageId }) => messageId)).size;

const keysOf = ({ calls, made, open }: ProofFacts): ReadonlySet<string> =>
  new Set([
    ...calls.rows.map(({ providerKey }) => providerKey),
    ...[...made.rows, open].flatMap((row) => row?.providerKey ?? []),
  ]);

/** Names under which the provider declined for good before it was asked under the next one. */
function closedKeys(facts: ProofFacts): readonly string[] {
  const used = keysOf(facts);
  const first = [...used].sort((a, b) => a.length - b.length)[0] ?? "";
  const oneFamily = [...used].every((key) => key === first || /^_\d+$/.test(key.replace(first, "")));
  const said = (key: string, outcome: string) =>
    facts.calls.rows.some((call) => call.providerKey === key && call.outcome === outcome);
  if (used.size < 2 || !oneFamily) return [];
  return [...used].filter((key) => said(key, "declined") && !said(key, "succeeded"));
}

function differing(facts: ProofFacts): number {
  const { money, account, reference } = facts.request;
  const other = (one: string | undefined, two: string | undefined) =>
    one !== undefined && two !== undefined && one !== two;
  const same = (one: { readonly minor: string; readonly currency: string } | undefined) =>
    one === undefined || money === undefined || (one.minor === money.minor && one.currency === money.currency);
  const references = facts.calls.rows.flatMap((call) => (call.outcome === "succeeded" ? (call.reference ?? []) : []));
  const rows = facts.made.rows.filter(
    (row) =>
      !same(row.money) ||
      other(row.account, account) ||
      other(row.reference, reference) ||
      (references.length > 0 && row.providerReference !== undefined && !references.includes(row.providerReference)),
  );
  return rows.length + moves(facts).filter((call) => !same(call.money)).length;
}

const GAPS: Readonly<Record<string, keyof ProofFacts>> = {
  "events of this operation": "events",
  "provider calls of this operation": "calls",
  "published events": "outbox",
  "handled messages": "inbox",
  "ledger entries of this operation": "ledger",
  "notifications of this operation": "notifications",
  "kept answers": "answers",
};
function gapOf(facts: ProofFacts, what = ""): ProofGap | undefined {
  const member = facts[GAPS[what] ?? "made"] as { readonly gap?: ProofGap };
  return member.gap;
}

const succeeded = ({ calls, inbox }: ProofFacts) =>
  calls.rows.some(({ outcome }) => outcome === "succeeded") || inbox.rows.some(({ says }) => says === "succeeded");
/** For good, under the name that it was asked last under. */
function declined(facts: ProofFacts): boolean {
  const last = moves(facts).at(-1)?.providerKey;
  const ofLast = (row: { readonly providerKey?: string | undefined }) => (row.providerKey ?? last) === last;
  return (
    facts.calls.rows.some((call) => call.outcome === "declined" && ofLast(call)) ||
    facts.inbox.rows.some((row) => row.says === "failed" && (last === undefined || ofLast(row)))
  );
}

/** How many there are of what a failed count names; what is not here is compared with the count that stands beside it. */
const THINGS: Readonly<Record<string, (facts: ProofFacts) => number>> = {
  event: ({ outbox }) => outbox.rows.length,
  events: ({ outbox }) => outbox.rows.length,
  "ledger entry": ({ ledger }) => ledger.rows.length,
  "ledger entries": ({ ledger }) => ledger.rows.length,
  receipt: ({ notifications }) => notifications.rows.length,
  receipts: ({ notifications }) => notifications.rows.length,
  "kept answer": ({ answers }) => answers.rows.length,
  "kept answers": ({ answers }) => answers.rows.length,
};

const TEXTS: readonly (readonly [RegExp, Oracle])[] = [
  [
    /^The consumer (\S+) handled it once\.$/,
    (facts, [who]) => handledOnce(facts) && [...consumers(facts)].join() === who && arrived(facts) === 1,
  ],
  [
    /^Each of (\d+) consumers handled it once\.$/,
    (facts, [count]) => handledOnce(facts) && consumers(facts).size === number(count) && arrived(facts) === 1,
  ],
  [/^A consumer handled it once\.$|^Each consumer handled each of them once\.$/, handledOnce],
  [
    /^The provider was asked (?:.* )?under one key\.$/,
    (facts) =>
      keysOf(facts).size === 1 &&
      (facts.calls.gap !== undefined || facts.calls.rows.some(({ state }) => state !== "prepared")),
  ],
  [
    /^The provider was asked under a new key only after it had declined\.$/,
    (facts) => closedKeys(facts).length > 0 && keysOf(facts).size - closedKeys(facts).length <= 1,
  ],
  [/^The provider was never asked\.$/, (facts) => keysOf(facts).size === 0],
  [
    /^One key was prepared for the provider, and nothing was sent to it\.$/,
    (facts) => keysOf(facts).size === 1 && facts.calls.rows.every(({ state }) => state === "prepared"),
  ],
  [/^One answer was served\.$/, (facts) => served(facts).length === 1],
  [
    /^All (\d+) served answers had the same bytes\.$/,
    (facts, [count]) => served(facts).length === number(count) && new Set(served(facts)).size === 1,
  ],
];

/** Who they are about is right, whatever became of the claim. */
const ABOUT: readonly (readonly [RegExp, Oracle])[] = [
  [/^The other command under this key never ran\.$/, (facts) => conflicts(facts) === 1],
  [
    /^The (\d+) requests with another command never ran\.$/,
    (facts, [count]) => conflicts(facts) === number(count) && number(count) > 1,
  ],
  [/^All (\d+) served answers/, (facts, [count]) => served(facts).length === number(count) && number(count) > 1],
  [/^Each of (\d+) consumers/, (facts, [count]) => consumers(facts).size === number(count)],
  [
    /^Settled by hand as (succeeded|failed)/,
    (facts, [decision]) => (decided(facts)?.to === "COMPLETED") === (decision === "succeeded"),
  ],
];

const NOTES: readonly (readonly [RegExp, Oracle])[] = [
  [
    /There are more than ([\d,]+) (.+); only the first were looked at\./,
    (facts, [limit, what]) => {
      const gap = gapOf(facts, what);
      return gap?.kind === "cut" && gap.limit === number(limit);
    },
  ],
  [
    /The (.+) from before (\S+) are past their retention and may be gone\./,
    (facts, [what, before]) => {
      const gap = gapOf(facts, what);
      return gap?.kind === "purged" && gap.before === before;
    },
  ],
  [
    /^(\d+) (.+) where (\d+) belongs?\.$/,
    (facts, [count, what = "", expected], claim) =>
      count !== expected &&
      (/^different answers?$/.test(what)
        ? new Set(served(facts)).size === number(count) && expected === "1"
        : claim.counted === count &&
          claim.expected === expected &&
          (THINGS[what]?.(facts) ?? number(count)) === number(count)),
  ],
  [/^(\d+) rows? (?:differs|differ) from the first command\.$/, (facts, [count]) => differing(facts) === number(count)],
  [
    /^The event is (\S+) where (\S+) belongs\.$/,
    (facts, [found, expected]) => found !== expected && facts.outbox.rows.some(({ type }) => type === found),
  ],
  [
    /^The delivery of the event is dead after (\d+) attempts?: a person has to requeue it\.$/,
    ({ outbox }, [count]) => outbox.rows.some(({ state, attempts }) => state === "dead" && attempts === number(count)),
  ],
  [
    /^It may have acted: the service that owns it has to settle it\.$/,
    ({ request }) => request.state === "UNKNOWN_REQUIRES_RECOVERY" && !OUR_KINDS.test(request.operation),
  ],
  [
    /^The provider may have acted: a look-up or a person has to settle it\.$/,
    ({ request }) => request.state === "UNKNOWN_REQUIRES_RECOVERY" && OUR_KINDS.test(request.operation),
  ],
  [
    /^Its owner fell silent: recovery takes it over\.$/,
    ({ at, request, open }) => request.state === "IN_PROGRESS" && (open?.lockedUntil ?? "9") <= at,
  ],
  [
    /^Its owner holds the lease\.$/,
    ({ at, request, open }) => request.state === "IN_PROGRESS" && (open?.lockedUntil ?? "0") > at,
  ],
  [
    /^It is in progress, and nobody holds its lease\.$/,
    ({ request, open }) => request.state === "IN_PROGRESS" && open?.lockedUntil === undefined,
  ],
  [/^The event waits for its delivery\.$/, ({ outbox }) => outbox.rows.some(({ state }) => state === "pending")],
  [
    /^It was delivered and no consumer has it\.$/,
    (facts) => own(facts).length === 0 && facts.outbox.rows.some(({ state }) => state === "published"),
  ],
  [
    /^A person discarded the event in the inbox of (\S+): it is no longer handled\.$/,
    (facts, [who]) => own(facts).some(({ consumer, state }) => consumer === who && state === "discarded"),
  ],
  [
    /^The event is dead in the inbox of (\S+) after (\d+) attempts?: a person has to requeue it\.$/,
    (facts, [who, count]) =>
      own(facts).some((row) => row.consumer === who && row.state === "dead" && row.attempts === number(count)),
  ],
  [/^A consumer has not handled the event yet\.$/, (facts) => own(facts).some(({ state }) => state === "recorded")],
  [
    /It arrived (\d+) more times? and did nothing\./,
    (facts, [count]) =>
      own(facts)
        .map(({ duplicates }) => duplicates)
        .reduce((a, b) => a + b, 0) === number(count) && count !== "0",
  ],
  [
    /(\d+) arrivals under its id had other bytes and were flagged\.$/,
    (facts, [count]) =>
      own(facts)
        .map(({ mismatches }) => mismatches)
        .reduce((a, b) => a + b, 0) === number(count) && count !== "0",
  ],
  [
    /^(\d+) late writes? turned away by the fence\.$/,
    (facts, [count]) => eventsOf(facts, "fenced").length === number(count) && count !== "0",
  ],
  [
    /^The kept answer was purged on (\S+)\.$/,
    ({ request }, [day = "none"]) => request.bodyPurgedAt?.startsWith(day) === true,
  ],
  [
    /^No answer is kept to compare with\.$/,
    ({ answers, request }) => answers.rows.length === 0 && request.bodyPurgedAt === undefined,
  ],
  [/^Its key was destroyed\.$/, ({ answers }) => answers.rows.some(({ unreadable }) => unreadable !== undefined)],
  [
    /^Sent (once|twice|\d+ times) under it; the provider takes them for one\./,
    (facts, [count]) =>
      number(count) > 1 &&
      moves(facts).filter(({ state, providerKey }) => state !== "prepared" && !closedKeys(facts).includes(providerKey))
        .length === number(count),
  ],
  [
    /Declined for good under (\d+) names?\.$/,
    (facts, [count]) => closedKeys(facts).length === number(count) && count !== "0",
  ],
  [
    /^(.+) settled it with evidence; no answer or signed event of the provider says that it (acted|did not act)\.$/,
    (facts, [who, what]) =>
      decided(facts)?.actor === who && (what === "did not act" ? !declined(facts) : !succeeded(facts)),
  ],
];

/** Which of them are not so. @param must whether what they say has to be so */
function wrong(
  oracles: typeof NOTES,
  text: string,
  facts: ProofFacts,
  claim: ProofClaim,
  must = true,
): readonly string[] {
  return oracles.flatMap(([words, oracle]) => {
    const [found, ...captured] = words.exec(text) ?? [];
    return found === undefined || oracle(facts, captured, claim) === must ? [] : [`${claim.status}: ${text}`];
  });
}

function falseSentences(facts: ProofFacts, claims: readonly ProofClaim[]): readonly string[] {
  return claims.flatMap((claim) => [
    ...(claim.status === "holds" ? wrong(TEXTS, claim.text, facts, claim) : []),
    ...(claim.status === "fails" ? wrong(TEXTS, claim.text, facts, claim, false) : []),
    ...wrong(ABOUT, claim.text, facts, claim),
    ...wrong(NOTES, claim.note ?? "", facts, claim),
  ]);
}

describe("TRUTH-1 every sentence of a proof", () => {
  it("is so of the rows that it was computed from, whatever they are", () => {
    const said = new Set<RegExp>();
    fc.assert(
      fc.property(proofWorlds, (facts) => {
        const { claims } = computeProof(facts, ISSUER).statement;
        expect(falseSentences(facts, claims)).toEqual([]);
        for (const [words] of [...TEXTS, ...ABOUT, ...NOTES])
          if (claims.some(({ text, note = "" }) => words.test(text) || words.test(note))) said.add(words);
      }),
      { numRuns: RUNS },
    );
    expect([...TEXTS, ...ABOUT, ...NOTES].flatMap(([words]) => (said.has(words) ? [] : [words]))).toEqual([]);
  });
});
