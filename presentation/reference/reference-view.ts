import { claimWords } from "@/domain/page-claim";
import { writtenTime } from "@/domain/written-time";
import { whyNot } from "@/domain/access/permission";
import type { Zone } from "@/domain/time-zone";
import type { Role } from "@/domain/idempotency/states";
import { plural } from "../format/words";
import { CANNOT_BE_ASKED } from "../operation/allowed-actions";
import { moneyView } from "../operation/money-view";
import type { ReferenceAction, ReferenceTotal, ReferenceView } from "../views/references";
import { LEASED_CLAIMS, CUT_CLAIMS } from "./cut-claims";
import { buildChart } from "./chart";
import { customerText, whyNoText } from "./customer-text";
import type { MoneyKeyFacts, ReferenceFacts } from "./facts";
import { amounts, headline } from "./headline";
import { effectLane, laneNames, webhooksLane } from "./lanes";
import { lede } from "./lede";
import { eventsOf } from "./marks";
import { amountIn, customersOf, timesMoved, isOpen, isRecorded, isUnknown, moneyOutcome, sums } from "./outcomes";

/** Rows of the table of events. */
const EVENTS = 300;

/**
 * The page of one reference, from its rows alone.
 * @param role of who looks: what they may do
 * @param zone of the clocks in the chart; texts that are copied are in UTC
 */
export function referenceView(facts: ReferenceFacts, role: Role | undefined, zone: Zone = "utc"): ReferenceView {
  const names = laneNames(facts);
  const effects = [...facts.payments, ...facts.reversals];
  const webhooks = webhooksLane(facts);
  const lanes = [
    ...effects.map((effect) => effectLane(effect, names.get(effect.operationId) ?? "")),
    ...(webhooks === undefined ? [] : [webhooks]),
  ];
  const events = eventsOf(facts, names);
  const clauses = headline(facts);
  return {
    at: facts.at,
    reference: facts.reference,
    customer: facts.customer,
    customers: customersOf(facts),
    verdict: {
      clauses: clauses.map(({ text, tone }) => ({ text, tone })),
      text: clauses.map(({ text }) => text).join(" "),
    },
    lede: lede(facts).map(({ text }) => text),
    totals: totalsOf(facts),
    lanes,
    chart: buildChart(facts, lanes, events, zone),
    events: events.slice(0, EVENTS),
    facts: factsOf(facts),
    clients: [...new Set(effects.flatMap(({ client }) => client ?? []))],
    openUntil: effects
      .flatMap(({ expiresAt }) => expiresAt ?? [])
      .sort()
      .at(-1),
    customerText: customerText(facts),
    whyNoText: whyNoText(facts),
    actions: effects.flatMap((effect) => actionsOf(effect, facts, names.get(effect.operationId) ?? "", role)),
    cut: claimWords(CUT_CLAIMS, { ...facts, events: events.length, most: EVENTS }),
  };
}

/** By currency: what moved for certain or is recorded, what went back, and what more may have moved. */
function totalsOf(facts: ReferenceFacts): readonly ReferenceTotal[] {
  const certain = (effect: MoneyKeyFacts): number => timesMoved(effect) + isRecorded(effect);
  const [charged, returned] = [sums(facts.payments, certain), sums(facts.reversals, certain)];
  const doubt = sums(facts.payments, isUnknown);
  const currencies = new Set([...charged, ...returned, ...doubt].map(({ currency }) => currency));
  return [...currencies].map((currency) => {
    const [paid, back] = [amountIn(charged, currency), amountIn(returned, currency)];
    const more = amountIn(doubt, currency);
    return {
      charged: moneyView(paid, currency),
      returned: moneyView(back, currency),
      stays: moneyView(paid - back, currency),
      doubt: more === 0n ? undefined : moneyView(more, currency),
    };
  });
}

function factsOf(facts: ReferenceFacts): ReferenceView["facts"] {
  const effects = [...facts.payments, ...facts.reversals];
  const calls = effects.flatMap((effect) => effect.calls);
  const sent = calls.filter(({ kind, state }) => kind !== "lookup" && state !== "prepared");
  const lookUp = calls
    .filter(({ kind }) => kind === "lookup")
    .map(({ at }) => at)
    .sort()
    .at(-1);
  const providers = [...new Set(calls.map(({ provider }) => provider))];
  const entries = effects.reduce((sum, { ledger }) => sum + ledger.length, 0);
  return [
    ...(providers.length === 0
      ? []
      : [
          {
            label: `At ${providers.join(", ")}`,
            value: sent.length === 0 ? "nothing was sent" : plural(sent.length, "call"),
          },
          {
            label: "Last look-up",
            value: lookUp === undefined ? "none" : writtenTime(lookUp, "second"),
          },
        ]),
    { label: "Ledger", value: entries === 0 ? "no entry" : plural(entries, "entry", "entries") },
    ...refundable(facts),
  ];
}

/** What is left of certain charges, unless something of it is in doubt. */
function refundable(facts: ReferenceFacts): ReferenceView["facts"] {
  const doubt = [...facts.payments, ...facts.reversals].some(
    (effect) => !["moved", "none"].includes(moneyOutcome(effect)),
  );
  const left = sums(facts.payments, (payment) => (moneyOutcome(payment) === "moved" ? 1 : 0)).map(
    ({ minor, currency }) => ({
      currency,
      minor: minor - amountIn(sums(facts.reversals, timesMoved), currency),
    }),
  );
  return doubt || left.length === 0 ? [] : [{ label: "Still refundable", value: amounts(left) }];
}

function actionsOf(
  effect: MoneyKeyFacts,
  { at }: ReferenceFacts,
  name: string,
  role: Role | undefined,
): readonly ReferenceAction[] {
  if (effect.key === undefined) return [];
  const href = `/operations/${effect.operationId}`;
  if (isOpen(effect)) {
    const reason = whyNot(role, "operations.reconcile") ?? whyNotAsk(effect, at);
    const ask = {
      id: `ask-${effect.operationId}`,
      label: `Ask the provider about ${name}`,
      effect: "One look-up, no money is sent",
    };
    return [
      reason === undefined ? { ...ask, href: `${href}?dialog=reconcile`, verb: "Ask…" } : { ...ask, whyNot: reason },
    ];
  }
  if (moneyOutcome(effect) !== "moved") return [];
  return [
    {
      id: `proof-${effect.operationId}`,
      label: `Proof of ${name}`,
      effect: "Signed file with every row of it",
      href: `${href}/proof`,
      verb: "Open",
    },
  ];
}

function whyNotAsk({ provider, lockedUntil }: MoneyKeyFacts, at: string): string | undefined {
  if (provider?.queryable === false) return CANNOT_BE_ASKED;
  return claimWords(LEASED_CLAIMS, { lockedUntil, at })[0];
}
