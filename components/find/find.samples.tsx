import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { FindTarget } from "@/presentation/views/find";
import { FindView } from "./find-view";

const target: FindTarget = {
  matched: "key",
  href: `/operations/${SAMPLE_ID}`,
  label: "Payment €12.00, order-1",
  id: SAMPLE_ID,
};
const targets = (rows: readonly FindTarget[], more = false) =>
  inLive(
    <FindView
      query="order-1"
      found={{
        kind: "found",
        query: "order-1",
        targets: rows,
        more,
        elsewhere: { searched: 0, left: 0 },
        at: SAMPLE_NOW,
      }}
    />,
  );

export const findParts: readonly Part[] = [
  {
    name: "FindView",
    states: [
      {
        name: "nothing was asked for yet",
        shows: inLive(<FindView query="" />),
        says: ["The key a client sent"],
        lacks: ["Nothing found."],
        has: ['input[name="q"]:not([value="order-1"])'],
      },
      {
        name: "nothing has this name",
        shows: targets([]),
        says: ["Nothing found.", "Looked for “order-1”", "of this tenant.", "Filter the list"],
        lacks: ["2 found", "The key a client sent"],
        has: ['input[value="order-1"]'],
      },
      {
        name: "not in time",
        shows: inLive(<FindView query="12 EUR" found={{ kind: "too_broad", stoppedAfterSeconds: 3 }} />),
        says: ["This search took too long.", "The search stopped after 3 s."],
        lacks: ["2 found", "Nothing found"],
      },
      {
        name: "two in this tenant",
        shows: targets([target, { ...target, matched: "reference", href: "/operations/2" }]),
        says: ["2 found", "Found as", "reference"],
        lacks: ["took too long", "Tenant", "and more", "none of them", "Verdict", "Amount"],
        has: [`a[href="/operations/${SAMPLE_ID}"]`],
      },
      {
        name: "what became of each",
        shows: targets([
          {
            ...target,
            state: "COMPLETED",
            at: "2026-11-22T12:00:00Z",
            money: { minor: "1200", amount: "12.00", currency: "EUR", display: "€12.00" },
            verdict: { text: "Ledger posted.", tone: "fine" },
          },
          {
            ...target,
            href: "/operations/2",
            state: "UNKNOWN_REQUIRES_RECOVERY",
            verdict: { text: "In doubt for 41 minutes.", tone: "doubt" },
          },
          {
            matched: "plan",
            href: "/plans/1",
            label: "requeue_dead_letters, 4 rows",
            id: "1",
            state: "awaiting_approval",
          },
          { matched: "client", href: "/clients/till-web", label: "till-web", id: "cl_1" },
        ]),
        says: [
          "Payment, order-1",
          "Completed",
          "€12.00",
          "22 Nov, 12:00",
          "Ledger posted.",
          "Unknown",
          "awaiting approval",
        ],
        lacks: ["awaiting_approval"],
        has: ['[data-tone="doubt"]'],
      },
      {
        name: "more, in another tenant",
        shows: targets([{ ...target, tenant: "globex" }], true),
        says: ["1 and more found, none of them in the chosen tenant", "Tenant", "globex"],
      },
    ],
  },
];
