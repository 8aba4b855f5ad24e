// @vitest-environment happy-dom
import { sampleCause, sampleDeadLetters } from "@/components/dead-letters/dead-letters.samples";
import { DeadLettersDialogs, foundDead } from "@/components/dead-letters/dead-letters-dialogs";
import { SelectionActions } from "@/components/dead-letters/selection-actions";
import { DiscardDialog } from "@/components/messages/discard-dialog";
import { deadMessagesOf } from "@/components/messages/dead-message";
import {
  OTHER_ID,
  sampleDeadLetter,
  sampleInbox,
  sampleOutbox,
  samplePlace,
} from "@/components/messages/message-samples";
import { sampleTopic } from "@/components/messages/places.samples";
import { RequeueDialogs } from "@/components/messages/requeue-dialog";
import { TopicDialogs } from "@/components/messages/topic-dialogs";
import { sampleAction } from "@/components/operation/operation-facts.samples";
import { EndpointDialogs, EventSourceDialogs } from "@/components/webhooks/webhook-dialogs";
import { sampleEndpoint, sampleSecret, sampleSources, sampleWebhooks } from "@/components/webhooks/webhooks.samples";
import { dialogCases } from "./dialog-cases";
import { SAMPLE_ID, SAMPLE_NOW } from "./part";

const GONE = "It is no longer dead.";
const NOT_LISTED = "It is not among the dead messages on this page.";
const LEASED = "Still leased.";
const REFUSED = "You need the role operator.";

const deadOut = [sampleOutbox({ state: "dead" }), sampleOutbox({ id: "m2", state: "dead", requeueNot: LEASED })];
dialogCases(
  "a requeue from the outbox",
  <RequeueDialogs side="outbox" rows={deadMessagesOf([...deadOut, sampleOutbox({ id: "m3" })])} />,
  [
    { dialog: `requeue:${SAMPLE_ID}`, says: ["and let payment ", " go on?", "sends it to payments again"] },
    { dialog: "requeue:m2", says: ["Requeue 1 message"], off: LEASED },
    { dialog: "requeue:m3", says: ["Requeue 1 message?", "The relay sends it again"], off: NOT_LISTED },
  ],
);
dialogCases(
  "a requeue of what a consumer has",
  <RequeueDialogs side="outbox" rows={deadMessagesOf([sampleOutbox({ id: "m4", state: "dead", closes: true })])} />,
  [
    {
      dialog: "requeue:m4",
      says: ["Close 1 message as delivered, and let payment ", "is not sent again", "Nothing is sent and"],
      lacks: ["Requeue", "pending", "relay"],
    },
  ],
);
dialogCases(
  "a requeue from the inbox",
  <RequeueDialogs side="inbox" rows={deadMessagesOf([sampleInbox({ state: "dead" })])} />,
  [
    { dialog: `requeue:${SAMPLE_ID}`, says: ["and let ledger handle it again?", "becomes recorded"] },
    { dialog: "requeue:m3", says: ["Requeue 1 message?", "becomes recorded"], off: NOT_LISTED },
  ],
);
dialogCases(
  "a requeue, for somebody who may not",
  <RequeueDialogs side="outbox" rows={deadMessagesOf(deadOut)} whyNot={REFUSED} />,
  [{ dialog: "requeue:m2", says: ["Requeue 1 message"], off: REFUSED }],
);

dialogCases("a discard in the outbox", <DiscardDialog name="discard" side="outbox" id="m1" place="payments" />, [
  { dialog: "discard", says: ["so that it is never sent?", "It is never sent to payments. What waits"] },
]);
dialogCases("a discard without its place", <DiscardDialog name="discard" side="outbox" id="m1" whyNot={GONE} />, [
  { dialog: "discard", says: ["It is never sent. What waits"], off: GONE },
]);
dialogCases("a discard in the inbox", <DiscardDialog name="discard" side="inbox" id="m1" place="ledger" />, [
  { dialog: "discard", says: ["so that it is never handled?", "ledger never handles it."] },
]);
dialogCases("a discard without its consumer", <DiscardDialog name="discard" side="inbox" id="m1" />, [
  { dialog: "discard", says: ["Its consumer never handles it."] },
]);

const letters = sampleDeadLetters({
  group: sampleCause({ count: 12 }),
  matching: { count: 1_200, more: false },
  rows: {
    at: SAMPLE_NOW,
    rows: [
      sampleDeadLetter({ discardNot: "It is under way." }),
      sampleDeadLetter({ id: "d2", messageId: "m2", requeuedAt: SAMPLE_NOW }),
      sampleDeadLetter({ id: "d3", messageId: "m5", verdict: "processed" }),
    ],
  },
});
const filters = { settled: false, sort: "last", all: false } as const;
const alone = foundDead(
  sampleInbox({ id: OTHER_ID, state: "dead", actions: [sampleAction("discard", "Discard", "Its plan runs.")] }),
);
dialogCases("dead letters", <DeadLettersDialogs view={letters} filters={filters} asked={alone} />, [
  { dialog: `outbox:${SAMPLE_ID}`, says: ["sends it to payments again", "and let what waits behind it go on?"] },
  { dialog: `discard:outbox:${SAMPLE_ID}`, says: ["never sent to payments."], off: "It is under way." },
  { dialog: "outbox:m5", says: ["Close 1 message as delivered", "is not sent again"] },
  { dialog: "outbox:m2", says: ["Requeue 1 message?"], off: NOT_LISTED },
  { dialog: "discard:outbox:m2", says: ["It is never sent. What"], off: GONE },
  { dialog: `inbox:${OTHER_ID}`, says: ["and let ledger handle it again?"] },
  { dialog: `discard:inbox:${OTHER_ID}`, says: ["ledger never handles it."], off: "Its plan runs." },
  { dialog: "plan:requeue:all", says: ["Plan to requeue 1,200 messages", "every message that matches the filter"] },
  {
    dialog: "plan:discard:group",
    says: ["Freeze 12 messages", "delivery.http_500 at payments", "cannot be taken back"],
  },
]);
const refusedAction = sampleAction("requeue", "Requeue", REFUSED);
dialogCases(
  "dead letters, for somebody who may not",
  <DeadLettersDialogs
    view={{ ...letters, requeue: refusedAction, discard: refusedAction, plan: refusedAction }}
    filters={filters}
    asked={foundDead(sampleOutbox({ id: "m9" }))}
  />,
  [
    { dialog: `outbox:${SAMPLE_ID}`, says: ["Requeue 1 message"], off: REFUSED },
    { dialog: `discard:outbox:${SAMPLE_ID}`, says: ["Discard 1 message"], off: REFUSED },
    { dialog: "outbox:m9", says: ["Requeue 1 message?"], off: REFUSED },
    { dialog: "plan:requeue:group", says: ["Freeze 12 messages"], off: REFUSED },
  ],
);
dialogCases("selected dead letters", <SelectionActions whyNot={undefined} />, [
  { dialog: "plan:discard:selected", says: ["Freezes the selected messages"], off: "No message is selected." },
]);

const PAUSED = { at: SAMPLE_NOW, by: "Ada", reason: "maintenance" };
dialogCases("a topic in which nothing waits", <TopicDialogs topic={sampleTopic()} />, [
  {
    dialog: "pause",
    says: ["Pause topic payments", "Nothing waits in it now. What was published in the last hour is not counted yet."],
  },
  { dialog: "resume", says: ["let 0 messages go?"] },
  {
    dialog: "route",
    says: ["Deployment default: HTTP", "NATS JetStream, not configured here", "Nothing waits in it now."],
  },
]);
dialogCases(
  "a paused topic, for somebody who may only resume",
  <TopicDialogs
    topic={sampleTopic({
      row: samplePlace({ waiting: 1, paused: PAUSED }),
      actions: {
        pause: sampleAction("pause", "Pause", "It is paused."),
        resume: sampleAction("resume", "Resume"),
        route: sampleAction("route", "Change route", REFUSED),
      },
    })}
  />,
  [
    { dialog: "pause", says: ["1 message waits in it now."], off: "It is paused." },
    { dialog: "resume", says: ["let 1 message go?", "Paused by Ada: maintenance"] },
    { dialog: "route", says: ["1 message waits in it now, by HTTP."], off: REFUSED },
  ],
);

const endpoints = [
  sampleEndpoint({ waiting: 1, description: "the shop" }),
  sampleEndpoint({ id: "e2", waiting: 3 }),
  sampleEndpoint({ id: "e3", disabled: { at: "2026-11-20T10:00:00Z" } }),
];
dialogCases("endpoints", <EndpointDialogs view={sampleWebhooks(endpoints)} />, [
  { dialog: "create", says: ["Add an endpoint for future events?", "Address, https only", "payment.succeeded"] },
  { dialog: "change:e1", says: ["Change the events of 1 endpoint", "https://shop.example/hooks", "payment.succeeded"] },
  { dialog: "change:e3", says: ["It is disabled. Once it is enabled", "stay queued"] },
  { dialog: "rotate:e1", says: ["https://shop.example/hooks"] },
  { dialog: "disable:e1", says: ["1 waiting message will wait"] },
  { dialog: "enable:e2", says: ["3 waiting messages will be sent"] },
  { dialog: "delete:e2", says: ["3 waiting messages will become dead letters at their turn."] },
]);
dialogCases(
  "endpoints, for somebody who may not",
  <EndpointDialogs view={sampleWebhooks(endpoints, { whyNot: REFUSED })} />,
  [
    { dialog: "create", says: ["Add 1 endpoint"], off: REFUSED },
    { dialog: "delete:e1", says: ["Delete 1 endpoint"], off: REFUSED },
  ],
);

const secrets = [
  sampleSecret({ last: false }),
  sampleSecret({ source: "shop", secretId: "k2" }),
  sampleSecret({ secretId: "k3", whyNotExpire: "It was made this minute." }),
];
dialogCases("event sources", <EventSourceDialogs view={sampleSources(secrets)} />, [
  { dialog: "source", says: ["Add 1 secret", "another 24 hours"] },
  { dialog: "expire:bank/k1", says: ["End 1 secret of bank?", "signed with it alone", "Secret k1"] },
  { dialog: "expire:shop/k2", says: ["of shop, the last one?", "It is the last valid one"] },
  { dialog: "expire:bank/k3", says: ["End 1 secret"], off: "It was made this minute." },
]);
dialogCases("event sources, for somebody who may not", <EventSourceDialogs view={sampleSources(secrets, REFUSED)} />, [
  { dialog: "source", says: ["Add 1 secret"], off: REFUSED },
  { dialog: "expire:bank/k1", says: ["End 1 secret"], off: REFUSED },
]);
