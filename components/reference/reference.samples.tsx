import { inLive } from "@/components/parts/in-live";
import type { Part } from "@/components/parts/part";
import type { ReferenceHit } from "@/presentation/views/references";
import {
  CHARGED,
  CHARGED_AGAIN,
  IN_DOUBT,
  muchReference,
  sampleEffect,
  sampleReference,
} from "./reference-facts.samples";
import { NoReference, ReferenceView } from "./reference-view";
import { ReferencesView } from "./references-view";

const REFUSED = sampleReference().lanes[1]?.operationId ?? "";
const hit: ReferenceHit = {
  id: "1",
  reference: "order-22700830",
  href: "/references/order-22700830?customer=acc_brandt_09",
  customer: "acc_brandt_09",
  money: { minor: "8450", amount: "84.50", currency: "EUR", display: "€84.50" },
  keys: 2,
  lastAt: "2026-11-22T10:42:15.000000Z",
};

export const referenceParts: readonly Part[] = [
  {
    name: "ReferenceView",
    states: [
      {
        name: "charged once, refunded in part",
        shows: <ReferenceView view={sampleReference()} />,
        says: [
          "Charged once: 1 of 2 keys moved money.",
          "€20.00 was refunded.",
          "The ledger has the same amounts.",
          "Key 1, 10:42:02 UTC: Refused: amount differs",
          "Ledger: €64.50. 2 entries.",
          "Charged €84.50, given back €20.00",
          "Your order with reference order-22700830 was charged once: €84.50 on 22 November 2026 at 10:41 UTC. One other attempt, on 22 November 2026 at 10:42 UTC, moved no money. We gave back €20.00 on 22 November 2026 at 13:20 UTC.",
          "Webhooks: agree. 2 received, 1 duplicate.",
          "2 payments, 1 refund",
          "Never offered here.",
        ],
        lacks: ["Ask the provider", "in doubt", "not drawn", "Choose a customer"],
        has: ['a[href="#keys"]', "#keys table", `a[href="/operations/${REFUSED}"]`, 'line[class*="ledgerLine"]'],
      },
      {
        name: "a key in doubt",
        shows: <ReferenceView view={sampleReference({ payments: [CHARGED, IN_DOUBT], reversals: [] })} />,
        says: [
          "Charged at most twice: 1 of 2 keys moved money, 1 is unknown.",
          "€84.50 more is in doubt",
          "at most +€84.50",
          "It is checked again on 22 November 2026 at 14:45 UTC.",
          "Ask the provider about Key 2",
        ],
        has: [`a[href="/operations/${IN_DOUBT.operationId}?dialog=reconcile"]`, '[data-kind="doubt"]'],
      },
      {
        name: "a key in doubt, for a viewer",
        shows: <ReferenceView view={sampleReference({ payments: [IN_DOUBT], reversals: [] }, "viewer")} />,
        says: ["Charged at most once: its only key is unknown.", "Ask the provider about Key 1"],
        hasNot: ['a[href$="?dialog=reconcile"]'],
      },
      {
        name: "charged twice",
        shows: (
          <ReferenceView
            view={sampleReference({
              payments: [CHARGED, CHARGED_AGAIN],
              reversals: [],
            })}
          />
        ),
        says: ["Charged twice: 2 of 2 keys moved money.", "€169.00"],
        has: ['h1 [data-tone="broken"]'],
      },
      {
        name: "not charged",
        shows: <ReferenceView view={sampleReference({ payments: [sampleEffect(1)], reversals: [] })} />,
        says: [
          "Not charged: its only key moved no money.",
          "Your order with reference order-22700830 was not charged.",
          "ends here",
        ],
        lacks: ["The ledger has the same amounts."],
      },
      {
        name: "settled by hand",
        shows: (
          <ReferenceView
            view={sampleReference({
              payments: [{ ...IN_DOUBT, state: "COMPLETED", status: "succeeded", settledByHand: "succeeded" }],
              reversals: [],
            })}
          />
        ),
        says: [
          "Recorded as charged once: its only key was settled by hand as charged.",
          "The provider has not confirmed what was settled by hand.",
          "+€84.50 by hand",
        ],
      },
      {
        name: "two customers, another service",
        shows: (
          <ReferenceView
            view={sampleReference({
              payments: [CHARGED, { ...CHARGED_AGAIN, account: "acc_2" }],
              reversals: [],
              otherKinds: ["orders.place"],
            })}
          />
        ),
        says: [
          "2 customers use this reference, none was charged twice.",
          "Choose a customer:",
          "1 key of another kind carries it too and is not counted.",
          "Several customers use this reference.",
        ],
        lacks: ["Your order"],
        has: ['a[href="/references/order-22700830?customer=acc_2"]'],
      },
      {
        name: "one of several customers",
        shows: <ReferenceView view={sampleReference({ customer: "acc_brandt_09" })} />,
        says: ["Only keys of customer", "All customers"],
        has: ['a[href="/references/order-22700830"]'],
      },
      {
        name: "much: 60 keys, long names, large amounts",
        shows: <ReferenceView view={muchReference()} />,
        says: [
          "Charged at least twice: 2 of the first 60 keys moved money, 1 is unknown.",
          "More keys carry this reference: only the first 60 were read.",
          "50 more lanes that moved no money are not drawn",
          "24+ requests",
          "Not every key was read, so no text would be certain.",
        ],
        lacks: ["Your order"],
      },
    ],
  },
  {
    name: "NoReference",
    states: [
      {
        name: "no key",
        shows: <NoReference reference="order-0" />,
        says: ["No payment key carries this reference.", "Looked in this tenant for “order-0”"],
        lacks: ["of customer"],
        has: ['a[href="/references"]'],
      },
      {
        name: "no key of this customer",
        shows: <NoReference reference="order-0" customer="acc_1" />,
        says: ["of customer acc_1"],
      },
    ],
  },
  {
    name: "ReferencesView",
    states: [
      {
        name: "nothing was asked for yet",
        shows: inLive(<ReferencesView asked={{}} problems={[]} />),
        says: ["Name a customer or an amount.", "not by name, e-mail or card"],
      },
      {
        name: "a day alone",
        shows: inLive(<ReferencesView asked={{ day: "2026-11-19" }} problems={[]} />),
        says: ["A day alone is too wide: add a customer or an amount."],
        has: ['input[name="day"][value="2026-11-19"]'],
      },
      {
        name: "an amount that cannot be read",
        shows: inLive(
          <ReferencesView asked={{}} problems={[{ name: "amount", detail: "is no amount such as 84.50 EUR" }]} />,
        ),
        says: ["amount is no amount such as 84.50 EUR."],
      },
      {
        name: "nothing matches",
        shows: inLive(
          <ReferencesView
            asked={{ customer: "acc_1" }}
            problems={[]}
            found={{ kind: "found", hits: [], more: false }}
          />,
        ),
        says: ["No payment matches.", "whose key is still kept were looked at"],
      },
      {
        name: "two, and the search stopped",
        shows: inLive(
          <ReferencesView
            asked={{ amount: "84.50 EUR" }}
            problems={[]}
            found={{
              kind: "found",
              hits: [hit, { ...hit, id: "2", reference: undefined, href: "/operations/2" }],
              more: true,
              lookedAt: 500,
            }}
          />,
        ),
        says: ["the newest 2 references", "no reference", "Only the newest 500 payments were looked at", "€84.50"],
        has: ['a[href="/references/order-22700830?customer=acc_brandt_09"]'],
      },
      {
        name: "not in time",
        shows: inLive(
          <ReferencesView
            asked={{ customer: "acc_1" }}
            problems={[]}
            found={{ kind: "too_broad", stoppedAfterSeconds: 10 }}
          />,
        ),
        says: ["This search took too long.", "The search stopped after 10 s."],
      },
    ],
  },
];
