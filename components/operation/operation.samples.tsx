import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { EvidenceRow } from "@/presentation/views/operations";
import { EvidenceBox } from "./evidence-box";
import { MessagesSection } from "./messages-section";
import { OperationDialogs } from "./operation-dialogs";
import {
  SAMPLE_INBOX,
  SAMPLE_MONEY,
  SAMPLE_OUTBOX,
  sampleAction,
  sampleCall,
  sampleOperation,
  sampleRequest,
} from "./operation-facts.samples";
import { OperationView } from "./operation-view";
import { ProviderSection } from "./provider-section";
import { AuditSection, CommandSection, EventsSection } from "./record-sections";
import { RequestsSection } from "./requests-section";
import { SettleForm, type SettleFormProps } from "./settle-form";
import type { SettleOption } from "./settle-options";

const OPTIONS: readonly SettleOption[] = [
  { decision: "succeeded", label: "It succeeded", text: "Stores 201 as the answer.", off: false },
  { decision: "failed", label: "It failed", text: "The webhook says it succeeded.", off: true },
  { decision: "keep_waiting", label: "Keep waiting", text: "Callers keep getting 409.", off: false },
];

export function sampleSettleForm(changes: Partial<SettleFormProps>, whyOff?: string) {
  const props: SettleFormProps = {
    path: "/api/v1/admin/operations/1/resolve",
    options: OPTIONS,
    evidence: [{ ref: "webhook:1", label: "Signed webhook", at: "2026-11-22T14:02:09Z" }],
    askable: true,
    needsReference: false,
    ...changes,
  };
  return onConnection(<SettleForm {...props} />, { whyOff });
}

const RADIO = 'input[type="radio"]';

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
const dialogs = (changes: Parameters<typeof sampleOperation>[0] = {}) =>
  onConnection(<OperationDialogs operation={sampleOperation(changes)} callers={undefined} />);
const note = (changes: object) => ({
  id: "n1",
  key: "receipt-1",
  kind: "receipt",
  state: "pending" as const,
  attempts: 0,
  createdAt: SAMPLE_NOW,
  mail: false,
  ...changes,
});

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
        says: ["final", "as far as we know", "same", "Next automatic look-up in 2 min", "Reads only."],
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
  {
    name: "CommandSection",
    states: [
      {
        name: "fields that are not plain are dots",
        shows: <CommandSection operation={sampleOperation()} />,
        says: ["12480.00", "••••", "(default)", "Show bodies"],
        lacks: ["4242"],
      },
      {
        name: "purged, and this person may not look",
        shows: (
          <CommandSection
            operation={sampleOperation({
              command: { ...sampleOperation().command, body: "purged" },
              actions: [sampleAction("reveal_bodies", "Show", "You need the role operator.")],
            })}
          />
        ),
        says: ["The body was purged", "You need the role operator."],
        lacks: ["Show bodies", "12480.00"],
      },
      {
        name: "no key opens it",
        shows: (
          <CommandSection
            operation={sampleOperation({ command: { ...sampleOperation().command, body: "unreadable" } })}
          />
        ),
        says: ["no key of this deployment opens it"],
      },
    ],
  },
  {
    name: "RequestsSection",
    states: [
      {
        name: "nobody was answered",
        shows: onConnection(<RequestsSection operation={sampleOperation()} />),
        says: ["Nobody has been answered yet.", "0, in order of arrival"],
        hasNot: ["table"],
      },
      {
        name: "what each caller got",
        shows: onConnection(
          <RequestsSection
            operation={sampleOperation({
              requestsTotal: 9,
              requests: [
                sampleRequest({ outcome: "executed", requestId: "req-7", tookMs: 264 }),
                sampleRequest({ eventId: "e2", byteEqual: true, afterMs: 2_000 }),
                sampleRequest({ eventId: "e3", byteEqual: false, client: undefined }),
                sampleRequest({ eventId: "e4", outcome: "conflict", differingFields: ["amount"] }),
                sampleRequest({ eventId: "e5", outcome: "conflict", differingFields: ["amount", "currency"] }),
                sampleRequest({ eventId: "e6", outcome: "conflict" }),
              ],
            })}
          />,
        ),
        says: [
          "first 6 of 9",
          "request req-7",
          "264 ms",
          ", byte-equal",
          ", not byte-equal",
          "amount differs",
          "amount, currency differ",
          "compare",
          "unknown",
        ],
        has: ['a[href="/conflicts?open=e4"]'],
      },
    ],
  },
  {
    name: "ProviderSection",
    states: [
      { name: "nothing was sent", shows: <ProviderSection operation={sampleOperation()} />, hasNot: ["*"] },
      {
        name: "what each call found",
        shows: (
          <ProviderSection
            operation={sampleOperation({
              provider: [
                sampleCall({ outcome: "succeeded", reference: "ch_1", tookMs: 264 }),
                sampleCall({ outcome: "declined" }),
                sampleCall({ outcome: "processing" }),
                sampleCall({ outcome: "absent" }),
                sampleCall({ outcome: "other_amount" }),
                sampleCall({ state: "sent" }),
                sampleCall({ state: "prepared", sentAt: undefined }),
              ],
            })}
          />
        ),
        says: [
          "sent to acme-pay",
          "succeeded",
          "declined",
          "processing",
          "never received",
          "other amount",
          "no answer",
          "prepared",
          "not sent",
          "Copy ch_1",
        ],
        lacks: ["Owners"],
      },
      {
        name: "who owned it",
        shows: (
          <ProviderSection
            operation={sampleOperation({
              leases: [
                {
                  fence: 1,
                  owner: "api-1",
                  from: "2026-11-22T14:02:09.000000Z",
                  to: "2026-11-22T14:02:11.000000Z",
                  ended: "taken over by fence 2",
                  tone: "doubt",
                },
              ],
            })}
          />
        ),
        says: ["api-1", "taken over by fence 2", "2.00 s"],
        lacks: ["Provider calls"],
      },
    ],
  },
  {
    name: "MessagesSection",
    states: [
      {
        name: "none",
        shows: <MessagesSection operation={sampleOperation()} />,
        says: ["No message left, none arrived."],
        lacks: ["Notifications", "Ledger"],
      },
      {
        name: "out, in, by mail and in the ledger",
        shows: (
          <MessagesSection
            operation={sampleOperation({
              outbox: [SAMPLE_OUTBOX],
              inbox: [SAMPLE_INBOX],
              notifications: [
                note({ mail: true, outboxId: "out-1" }),
                note({ id: "n2", state: "skipped" }),
                note({ id: "n3", state: "sent", outboxId: "gone-9" }),
              ],
              ledger: [
                {
                  id: "l1",
                  entryType: "capture_fee",
                  sourceId: "p1",
                  debitAccount: "cash",
                  creditAccount: "sales",
                  money: SAMPLE_MONEY,
                  postedAt: "2026-11-22T14:02:09.000000Z",
                },
              ],
            })}
          />
        ),
        says: [
          "to webhook to shop.example by http, its topic is paused",
          "ledger from bank",
          "Not sent yet",
          "Nobody to send to",
          "Sent",
          "none",
          "gone-9",
          "capture fee",
          "outbox first, then inbox",
        ],
        has: ['a[href="/inbox/in-1"]', 'a[href="/outbox/out-1"]', "section > p"],
      },
    ],
  },
  {
    name: "EventsSection",
    states: [
      {
        name: "all of them",
        shows: <EventsSection operation={sampleOperation({ events: [EVENT] })} />,
        says: ["all 1", "take over"],
      },
      {
        name: "the first of many",
        shows: (
          <EventsSection operation={sampleOperation({ events: [{ ...EVENT, outcome: "replayed" }], eventsTotal: 4 })} />
        ),
        says: ["first 1 of 4", "replay"],
      },
    ],
  },
  {
    name: "AuditSection",
    states: [
      { name: "nobody looked", shows: <AuditSection operation={sampleOperation()} />, hasNot: ["*"] },
      {
        name: "without a reason",
        shows: (
          <AuditSection
            operation={sampleOperation({
              audit: [
                {
                  id: "a1",
                  sequence: "1",
                  at: "2026-11-22T14:10:00.000000Z",
                  actorKind: "operator",
                  actorName: "Ada",
                  action: "bodies.reveal",
                  subjectType: "operation",
                  subjectId: "1",
                },
              ],
            })}
          />
        ),
        says: ["Ada", "bodies.reveal", "none given"],
      },
    ],
  },
  {
    name: "OperationDialogs",
    states: [
      { name: "closed", shows: dialogs(), hasNot: ["dialog[open]", "form"] },
      {
        name: "ask the provider, nothing was sent",
        search: "dialog=reconcile",
        shows: dialogs(),
        says: ["Nothing was sent so far.", "Ask the provider"],
        hasNot: ["textarea"],
      },
      {
        name: "ask the provider again",
        search: "dialog=reconcile",
        shows: dialogs({ provider: [sampleCall({ state: "sent" })] }),
        says: ["1 provider call is in the journal."],
      },
      { name: "release is not offered", search: "dialog=release", shows: dialogs(), off: ["Release 1 key"] },
      { name: "purge is not offered", search: "dialog=purge", shows: dialogs(), off: ["Purge 1 body"] },
      {
        name: "show the bodies",
        search: "dialog=reveal",
        shows: dialogs(),
        says: ["Show the bodies of 1 operation?", "Looking is written down.", "Cancel"],
        has: ["textarea[required]"],
      },
      {
        name: "the bodies may not be shown",
        search: "dialog=reveal",
        shows: dialogs({ actions: [sampleAction("reveal_bodies", "Show", "You need the role operator.")] }),
        says: ["You need the role operator."],
        off: ["Show 1 command"],
      },
    ],
  },
  {
    name: "SettleForm",
    states: [
      {
        name: "what the facts contradict is off, with its reason",
        shows: sampleSettleForm({}),
        says: [
          "Settle 1 operation",
          "Nothing is sent to the provider.",
          "The webhook says it succeeded.",
          "Signed webhook, 14:02:09",
        ],
        off: ["failed"],
        has: ['input[type="checkbox"][checked]'],
        hasNot: [`${RADIO}[checked]`],
      },
      {
        name: "no evidence, the provider can be asked",
        shows: sampleSettleForm({ evidence: [] }),
        says: ["No source says anything yet. Ask the provider first, or name what you have seen."],
        off: ["failed"],
      },
      {
        name: "no evidence, and nobody to ask",
        shows: sampleSettleForm({ evidence: [], askable: false }),
        says: ["No source says anything. Name what you have seen."],
        off: ["failed"],
      },
      {
        name: "a second person approves",
        shows: sampleSettleForm({ secondPersonFrom: "€ 10,000" }),
        says: ["From € 10,000 a second person approves."],
        lacks: ["Nothing is sent to the provider."],
        off: ["failed"],
      },
      {
        name: "nothing may be decided",
        shows: sampleSettleForm({ options: OPTIONS.map((option) => ({ ...option, off: true })) }),
        off: [
          "succeeded",
          "failed",
          "keep_waiting",
          "evidence",
          "other",
          "Reason, kept in the audit",
          "Settle 1 operation",
        ],
      },
      {
        name: "the connection is lost",
        shows: sampleSettleForm({}, "The connection is lost."),
        says: ["The connection is lost."],
        lacks: ["Nothing is sent to the provider."],
        off: ["failed", "Settle 1 operation"],
      },
    ],
  },
];
