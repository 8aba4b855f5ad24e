import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { MessagesSection } from "./messages-section";
import {
  SAMPLE_INBOX,
  SAMPLE_MONEY,
  SAMPLE_OUTBOX,
  sampleAction,
  sampleCall,
  sampleOperation,
  sampleRequest,
} from "./operation-facts.samples";
import { ProviderSection } from "./provider-section";
import { AuditSection, CommandSection, EventsSection } from "./record-sections";
import { RequestsSection } from "./requests-section";
import { ServiceRequestsSection } from "./service-requests-section";
import type { ServiceRequestRow } from "@/presentation/views/service-requests";

const EVENT = { id: "e1", at: "2026-11-22T14:02:09.000000Z", type: "take_over" };
const AUDIT = {
  id: "a1",
  sequence: "1",
  at: "2026-11-22T14:10:00.000000Z",
  actorKind: "operator",
  actorName: "Ada",
  action: "bodies.reveal",
  subjectType: "operation",
  subjectId: "1",
};
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

const REQUEST = {
  id: "q1",
  service: "invoices-py",
  action: "resolve",
  outcome: "failed",
  evidence: ["the mail house's list"],
  person: "Mira",
  askedAt: SAMPLE_NOW,
  inHand: true,
  takenBy: "billing-2",
  words: "billing-2 has it in hand.",
} as const;
const asked = (changes: Partial<ServiceRequestRow> = {}, whyNot?: string) => (
  <ServiceRequestsSection
    operation={sampleOperation({
      service: "invoices-py",
      serviceRequests: [{ ...REQUEST, ...changes }],
      actions: [sampleAction("withdraw_request", "Withdraw the request", whyNot)],
    })}
  />
);

export const operationSectionParts: readonly Part[] = [
  {
    name: "ServiceRequestsSection",
    states: [
      {
        name: "in hand",
        shows: asked(),
        says: ["Asked of invoices-py", "Resolve: failed", "Mira", "billing-2 has it in hand.", "not yet", "Withdraw"],
      },
      {
        name: "withdrawn",
        shows: asked({ endedAt: SAMPLE_NOW, ended: "withdrawn", inHand: false, words: "Withdrawn by Ada." }),
        says: ["Withdrawn by Ada."],
        lacks: ["not yet"],
      },
      {
        name: "no service is asked",
        shows: <ServiceRequestsSection operation={sampleOperation()} />,
        lacks: ["Asked of"],
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
        says: ["The body was purged.", "You need the role operator."],
        lacks: ["Show bodies", "12480.00"],
      },
      {
        name: "no key opens it",
        shows: (
          <CommandSection
            operation={sampleOperation({ command: { ...sampleOperation().command, body: "unreadable" } })}
          />
        ),
        says: ["it could not be opened here"],
      },
    ],
  },
  {
    name: "RequestsSection",
    states: [
      {
        name: "nobody was answered",
        shows: onConnection(<RequestsSection operation={sampleOperation()} />),
        says: ["No answer is on record.", "0, in order of arrival"],
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
          "calls to acme-pay",
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
        says: ["No message is on record."],
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
          "Not confirmed yet",
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
        shows: <AuditSection operation={sampleOperation({ audit: [AUDIT] })} />,
        says: ["Ada", "Reveal a body", "none given"],
      },
    ],
  },
];
