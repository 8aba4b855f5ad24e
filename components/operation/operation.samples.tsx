import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { EvidenceRow } from "@/presentation/views/operations";
import { EvidenceBox } from "./evidence-box";
import { SAMPLE_MONEY, sampleAction, sampleOperation } from "./operation-facts.samples";
import { OperationView } from "./operation-view";

const ROW: EvidenceRow = {
  ref: "webhook:1",
  source: "Signed webhook",
  note: "of the provider",
  says: { glyph: "executed", tone: "ink", text: "succeeded" },
  final: true,
  money: SAMPLE_MONEY,
  moneyNote: "same",
  at: "2026-11-22T14:02:09.000000Z",
};
const NOTHING: EvidenceRow = {
  ref: "ledger",
  source: "Our ledger",
  note: "entries",
  says: { glyph: "empty", tone: "quiet", text: "nothing" },
  final: false,
};
const EVIDENCE = { leans: "succeeded", sentence: "Leans to succeeded.", rows: [ROW, NOTHING] } as const;
const EVENT = { id: "e1", at: "2026-11-22T14:02:09.000000Z", type: "take_over" };
const ADDRESS = { path: "/operations/1", search: {} };
const view = (changes: Parameters<typeof sampleOperation>[0], search = {}) =>
  onConnection(<OperationView operation={sampleOperation(changes)} address={{ ...ADDRESS, search }} />);

export const operationParts: readonly Part[] = [
  {
    name: "OperationView",
    states: [
      {
        name: "nobody knows its end",
        shows: view({ evidence: EVIDENCE, reference: "shop-7", account: "acct-1" }),
        says: [
          "Nobody knows.",
          "Unknown and stale",
          "€12,480.00",
          "for account",
          "reference",
          "is open until",
          "none yet",
          "Evidence and decision",
          "1 event",
          "The body is evidence.",
        ],
        lacks: ["Every retry gets the stored answer", "Raw record", "the axis breaks once"],
        has: ['a[href="/?dialog=reveal"]', "#settle"],
        hasNot: ["#events", 'aside a[href="/?dialog=reconcile"]'],
      },
      {
        name: "it is settled",
        shows: view({ state: "COMPLETED", responseStatus: 201 }),
        says: ["Operations", "is open until", "Every retry gets the stored answer 201."],
        lacks: ["Unknown and stale", "Evidence and decision"],
        has: ['a[href="/?dialog=reconcile"]'],
      },
      {
        name: "its window is over: no retry gets its answer",
        shows: view({ state: "COMPLETED", responseStatus: 201, expiresAt: "2026-11-22T14:10:00.000000Z" }),
        says: ["was open until"],
        lacks: ["Every retry gets"],
      },
      {
        name: "its answer was purged",
        shows: view({ state: "COMPLETED", responseStatus: 201, bodyPurgedAt: SAMPLE_NOW, replay: "stored" }),
        says: ["Every retry gets 410: the answer was purged."],
      },
      {
        name: "it failed, its axis breaks, and there is no amount",
        shows: view({
          state: "FAILED_REPLAYABLE",
          responseStatus: 402,
          errorCode: "card_declined",
          money: undefined,
          lanes: {
            stretches: [
              { from: 0, to: 10, share: 0.5 },
              { from: 100, to: 110, share: 0.5 },
            ],
            ticks: [],
            lanes: [],
            spoken: "Two stretches",
          },
        }),
        says: ["402, card_declined.", "the axis breaks once"],
        lacks: ["€12,480.00"],
      },
      {
        name: "with its events",
        shows: view({ events: [EVENT] }, { open: "events" }),
        says: ["hide the events", "take over"],
        has: ["#events"],
      },
      {
        name: "with its raw record, without what is only drawn",
        shows: view({}, { open: "raw" }),
        says: ["hide the raw record", "fingerprintVersion"],
        lacks: ["spoken"],
      },
    ],
  },
  {
    name: "EvidenceBox",
    states: [
      { name: "there is no doubt", shows: onConnection(<EvidenceBox operation={sampleOperation()} />), hasNot: ["*"] },
      {
        name: "what says nothing cannot be attached",
        shows: onConnection(
          <EvidenceBox
            operation={sampleOperation({ evidence: EVIDENCE, nextCheckAt: "2026-11-22T14:32:00.000000Z" })}
          />,
        ),
        says: ["final", "as far as we know", "same", "Next automatic look-up in 2 min", "No money is sent."],
        lacks: ["not final"],
        has: ['input[name="evidence"][value="webhook:1"]', 'a[href="/?dialog=reconcile"]'],
        hasNot: ['input[value="ledger"]'],
      },
      {
        name: "a look-up is due, a second person approves",
        shows: onConnection(
          <EvidenceBox
            operation={sampleOperation({
              evidence: { ...EVIDENCE, rows: [{ ...ROW, final: false }] },
              nextCheckAt: "2026-11-22T14:29:00.000000Z",
              secondPersonFrom: SAMPLE_MONEY,
            })}
          />,
        ),
        says: ["not final", "The next automatic look-up is due now.", "From €12,480.00 a second person approves."],
      },
      {
        name: "the provider cannot be asked",
        shows: onConnection(
          <EvidenceBox
            operation={sampleOperation({
              evidence: { ...EVIDENCE, gap: "This provider answers no look-up.", rows: [NOTHING] },
              actions: [
                sampleAction("reconcile", "Ask the provider", "It cannot be asked."),
                sampleAction("resolve_succeeded", "It succeeded"),
                sampleAction("resolve_failed", "It failed", "Nothing says so."),
              ],
            })}
          />,
        ),
        says: ["This provider answers no look-up.", "It cannot be asked.", "Nothing says so.", "Not offered here."],
        off: ["Ask the provider", "failed", "keep_waiting"],
      },
    ],
  },
];
