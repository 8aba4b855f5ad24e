import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { Where } from "./message-cells";
import { OTHER_ID, sampleDeadLetter, sampleInbox, sampleOutbox } from "./message-samples";
import { ActionBar } from "./action-bar";
import { Deaths, MessageBody, MessageView } from "./message-view";

const REQUEUED = "2026-11-22T14:10:00.000000Z";
type BodyProps = Parameters<typeof MessageBody>[0];
const FIELDS = [
  { name: "amount", value: "12.00", masked: false },
  { name: "iban", value: "DE02", masked: true },
];
const body = (headers: BodyProps["message"], fields: BodyProps["fields"] = FIELDS) => (
  <MessageBody title="What is delivered" note="masked" fields={fields} message={headers} />
);

export const messageViewParts: readonly Part[] = [
  {
    name: "MessageView",
    states: [
      {
        name: "outbox, failing",
        shows: inLive(
          <MessageView
            message={sampleOutbox({
              attempts: 1,
              nextAttemptAt: "2026-11-22T14:30:38.000000Z",
              errorCode: "delivery.http_500",
              error: "Internal",
              destination: "https://shop.example/in",
            })}
          />,
        ),
        says: [
          "operation to effect",
          "of payment",
          "#7",
          "Next tryin 38 s",
          "Last errordelivery.http_500: Internal",
          "What is delivered",
        ],
        lacks: ["Every arrival", "Content", "Held by", "When it died", "Behind", "Inbox row"],
        has: ['a[href="/topics/payments"]', 'a[href="/outbox"]'],
      },
      {
        name: "outbox, paused",
        shows: inLive(<MessageView message={sampleOutbox({ paused: true })} />),
        says: ["Waits: its topic is paused."],
        lacks: ["Next try", "Last error", "Destination"],
      },
      {
        name: "outbox, under way behind an older one",
        shows: inLive(
          <MessageView
            message={sampleOutbox({
              attempts: 2,
              owner: "relay-1",
              lockedUntil: "2026-11-22T14:30:30.000000Z",
              behind: OTHER_ID,
            })}
          />,
        ),
        says: ["Held byrelay-1 until 14:30:30", "Behind", "Under way, attempt 2."],
        has: [`a[href="/outbox/${OTHER_ID}"]`],
      },
      {
        name: "a notification that went by mail",
        shows: inLive(
          <MessageView
            message={sampleOutbox({
              topic: "mail",
              topicLabel: "mail",
              transport: "mail",
              notification: true,
              state: "published",
              publishedAt: SAMPLE_NOW,
              publishedBy: "relay-1",
              attemptsMade: [{ number: 1, outcome: "succeeded", at: SAMPLE_NOW, afterMs: 10 }],
            })}
          />,
        ),
        says: ["the mail server accepted it", "Byrelay-1", "Transportmail"],
        lacks: ["#7", "Next try"],
      },
      {
        name: "closed by a person",
        shows: inLive(
          <MessageView
            message={sampleOutbox({
              transport: undefined,
              state: "published",
              publishedAt: SAMPLE_NOW,
              publishedBy: "operator",
            })}
          />,
        ),
        says: ["none, closed by a person", "#7"],
        lacks: ["the mail server accepted it"],
      },
      {
        name: "inbox, came three times",
        shows: inLive(
          <MessageView
            message={sampleInbox({
              alone: true,
              duplicates: 1,
              mismatches: 1,
              outbox: { id: SAMPLE_ID, state: "published" },
              arrivals: [
                { at: SAMPLE_NOW, outcome: "recorded", payloadHash: "9f2c" },
                { at: SAMPLE_NOW, outcome: "duplicate", payloadHash: "9f2c", requestId: "req-1" },
                { at: SAMPLE_NOW, outcome: "mismatch", payloadHash: "77aa" },
              ],
            })}
          />,
        ),
        says: [
          "cause to effect",
          "from shop-bus, for ledger.",
          "Duplicate",
          "Payload changed",
          "our outbox, published",
          "alone, in a transaction of its own",
          "Next trynow",
          "Content",
        ],
        lacks: ["What is delivered", "Transport", "Result"],
        has: ['a[href="/consumers/ledger"]', `a[href="/outbox/${SAMPLE_ID}"]`],
      },
      {
        name: "inbox, handled",
        shows: inLive(
          <MessageView
            message={sampleInbox({
              state: "processed",
              processedAt: SAMPLE_NOW,
              result: "applied",
              attemptsMade: [{ number: 1, outcome: "succeeded", at: SAMPLE_NOW, afterMs: 10 }],
            })}
          />,
        ),
        says: ["Resultapplied", "Processed"],
        lacks: ["Next try", "alone, in a transaction", "Sent by"],
      },
      {
        name: "dead, and this person may only look",
        shows: inLive(
          <MessageView
            message={sampleOutbox({
              state: "dead",
              attempts: 8,
              deadLetters: [sampleDeadLetter()],
              actions: [
                sampleAction("discard", "Discard", "You need the role operator."),
                sampleAction("requeue", "Requeue", "You need the role operator."),
              ],
            })}
          />,
        ),
        says: ["When it died", "once", "Not offered: You need the role operator."],
        lacks: ["Next try"],
        off: ["Discard", "Requeue"],
      },
    ],
  },
  {
    name: "MessageBody",
    states: [
      {
        name: "a masked field, no header",
        shows: body({ headers: [], hiddenHeaders: 0 }),
        says: ["12.00"],
        lacks: ["DE02", "Headers", "no field"],
      },
      {
        name: "no field",
        shows: body({ headers: [], hiddenHeaders: 0 }, []),
        says: ["no field"],
        hasNot: ["[role=region]"],
      },
      {
        name: "headers that are not shown",
        shows: body({ headers: [], hiddenHeaders: 2 }),
        says: ["Headers, 2 others not shown"],
      },
      {
        name: "headers",
        shows: body({ headers: [{ name: "webhook-id", value: "m1" }], hiddenHeaders: 0 }),
        says: ["Headers", "webhook-id", "m1"],
        lacks: ["not shown"],
      },
    ],
  },
  {
    name: "ActionBar",
    states: [
      {
        name: "both are allowed",
        shows: <ActionBar id="m1" actions={[sampleAction("discard", "Discard"), sampleAction("requeue", "Requeue")]} />,
        lacks: ["Not offered"],
        has: ['a[href*="dialog=discard%3Am1"]', 'a[href*="dialog=requeue%3Am1"]'],
      },
      {
        name: "not dead",
        shows: (
          <ActionBar
            id="m1"
            actions={[
              sampleAction("discard", "Discard", "It is not dead."),
              sampleAction("requeue", "Requeue", "It is not dead."),
            ]}
          />
        ),
        says: ["Not offered: It is not dead."],
        off: ["Discard", "Requeue"],
      },
      {
        name: "without a reason",
        shows: <ActionBar id="m1" actions={[{ action: "requeue", label: "Requeue", allowed: false }]} />,
        says: ["Not offered now."],
        lacks: ["Not offered: "],
        off: ["Requeue"],
      },
    ],
  },
  {
    name: "Deaths",
    states: [
      { name: "never", shows: <Deaths rows={[]} now={SAMPLE_NOW} />, hasNot: ["*"] },
      {
        name: "once",
        shows: <Deaths rows={[sampleDeadLetter()]} now={SAMPLE_NOW} />,
        says: ["once", "delivery.http_500: Internal", "waits for a person"],
      },
      {
        name: "again after it was requeued",
        shows: (
          <Deaths
            now={SAMPLE_NOW}
            rows={[
              sampleDeadLetter({ requeuedAt: REQUEUED, reason: "" }),
              sampleDeadLetter({
                id: "d2",
                requeuedAt: REQUEUED,
                requeuedBy: "Ada",
                settlement: "discarded",
                reason: "a test",
              }),
            ]}
          />
        ),
        says: ["2 times", "requeued", "by somebody", "discarded", "by Ada: a test"],
        lacks: ["waits for a person", "somebody:"],
      },
    ],
  },
  {
    name: "Where",
    states: [
      { name: "a place alone", shows: <Where name="ledger" />, says: ["ledger"], hasNot: ["small"] },
      { name: "with its line", shows: <Where name="ledger" note="from shop" />, says: ["from shop"], has: ["small"] },
    ],
  },
];
