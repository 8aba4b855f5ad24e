import { formatDuration } from "../format/display-time";
import type { PageClaim } from "@/domain/page-claim";
import { plural, times } from "../format/words";
import type { InboxRow } from "../views/inbox";
import type { ProviderCallRow } from "../views/operations";
import type { OutboxRow } from "../views/outbox";
import type { WordSource } from "./hand-settlement";
import { keyRetry } from "./key-retry";
import type { OperationCase } from "./operation-case";
import { effectCalls, lookUps } from "./operation-record";

/** What stands under one mark of the chain: the first of its claims that holds. */
type ChainClaims = readonly PageClaim<OperationCase>[];
type Holds = (it: OperationCase) => boolean;

const claim = (name: string, holds: Holds, words: string | ((it: OperationCase) => string)): ChainClaims[number] => ({
  name,
  holds,
  words: typeof words === "string" ? () => words : words,
});

/** Of what the operation sent, the newest; undefined: nothing was prepared. */
export function lastCall({ record }: Pick<OperationCase, "record">): ProviderCallRow | undefined {
  return effectCalls(record).at(-1);
}

const stateIs =
  (state: string): Holds =>
  ({ record }) =>
    record.state === state;
const always: Holds = () => true;
const fence = ({ record }: OperationCase): string => `fence ${String(record.fence)}`;
const owner = ({ record }: OperationCase): string => record.owner ?? "its owner";
const byHand: Holds = ({ hand, stand }) => hand !== undefined && stand.stand !== "confirmed";

export const KEY_FACTS: ChainClaims = [
  claim("claimed", always, ({ record }) => `claimed ${times(record.attempts)}, by ${record.client}`),
];

export const OPERATION_FACTS: ChainClaims = [
  claim(
    "asked_by",
    (it) => stateIs("UNKNOWN_REQUIRES_RECOVERY")(it) && it.record.owner !== undefined,
    (it) => `${fence(it)}, asked by ${owner(it)}`,
  ),
  claim("unowned", stateIs("UNKNOWN_REQUIRES_RECOVERY"), (it) => `${fence(it)}, now no owner`),
  claim("silent", stateIs("STALE"), (it) => `${fence(it)}, ${owner(it)} silent`),
  claim("owned", stateIs("IN_PROGRESS"), (it) => `${fence(it)}, ${owner(it)}`),
  claim(
    "settled_by_hand",
    ({ hand }) => hand !== undefined,
    (it) => `settled by hand, ${fence(it)}`,
  ),
  claim(
    "refused_here",
    (it) => it.end === "refused" && it.sent === 0,
    ({ record }) => `refused, ${record.errorCode ?? "final"}`,
  ),
  claim("key_free", ({ record }) => keyRetry(record) === "runs", "no effect, key is free"),
  claim("no_effect", ({ end }) => end === "no effect", "no effect"),
  claim("one_transaction", (it) => it.local && it.record.claimedFirst !== true, "one transaction"),
  claim(
    "refused",
    ({ end }) => end === "refused",
    (it) => `refused at ${fence(it)}`,
  ),
  claim(
    "completed",
    ({ end }) => end === "succeeded",
    (it) => `completed at ${fence(it)}`,
  ),
];

const BY: Readonly<Record<WordSource, string>> = {
  answer: "succeeded",
  "look-up": "confirmed by a look-up",
  "signed webhook": "confirmed by a signed webhook",
};
const sent = (it: OperationCase): string => `sent ${times(it.sent)}`;
const declineDetail = ({ record }: OperationCase): string =>
  record.provider.findLast(({ outcome }) => outcome === "declined")?.detail ?? "declined";

/** Of an operation that goes over a provider. */
export const PROVIDER_FACTS: ChainClaims = [
  claim("no_call_kept", (it) => it.end === "succeeded" && lastCall(it) === undefined, "no call on record"),
  claim("nothing_sent", (it) => it.sent === 0 && (it.end !== "open" || lastCall(it) === undefined), "nothing sent"),
  claim("prepared", ({ sent: count }) => count === 0, "prepared, not sent"),
  claim(
    "waiting",
    (it) => stateIs("IN_PROGRESS")(it) && lastCall(it)?.answeredAt === undefined,
    (it) => `${sent(it)}, waiting for the answer`,
  ),
  claim("answered", stateIs("IN_PROGRESS"), (it) => `${sent(it)}, ${lastCall(it)?.detail ?? "answered"}`),
  claim(
    "doubt",
    ({ end }) => end === "open",
    (it) => `${sent(it)}, ${openEnd(it)}`,
  ),
  claim(
    "contradicts",
    (it) => byHand(it) && it.stand.stand === "contradicts it",
    (it) => `${sent(it)}, provider says ${it.acted === undefined ? "failed" : "succeeded"}`,
  ),
  claim("not_confirmed", byHand, (it) => `${sent(it)}, not confirmed`),
  claim(
    "acted",
    (it) => it.end === "succeeded" && it.acted !== undefined,
    (it) => `${sent(it)}, ${BY[it.acted ?? "answer"]}`,
  ),
  claim(
    "no_answer_kept",
    ({ end }) => end === "succeeded",
    (it) => `${sent(it)}, no answer on record`,
  ),
  claim("declined", (it) => it.declined !== undefined, declineDetail),
  claim("no_effect", always, (it) => `${sent(it)}, no effect`),
];

function openEnd(it: OperationCase): string {
  const call = lastCall(it);
  return call?.answeredAt === undefined ? "no answer" : (call.detail ?? "no final answer");
}

/** Beside the first fact, of what is in doubt. */
export const ASKED_FACTS: ChainClaims = [
  claim(
    "asked",
    (it) => it.end === "open" && !stateIs("IN_PROGRESS")(it) && it.sent > 0 && lookUps(it.record).length > 0,
    ({ record }) => `asked ${times(lookUps(record).length)}`,
  ),
];

/** The gap of what is in doubt: how far it is known to have come. */
export const DOUBT_FACTS: ChainClaims = [
  claim("nothing_after_claim", (it) => it.sent === 0 && lastCall(it) === undefined, "nothing recorded after the claim"),
  claim("not_sent", (it) => it.sent === 0, "nothing sent after the claim"),
  claim(
    "not_booked",
    (it) => it.acted !== undefined || it.declined !== undefined,
    "the provider's answer is not recorded",
  ),
  claim(
    "nothing_after_send",
    ({ record }) => lookUps(record).length === 0 && record.webhooks.length === 0,
    "nothing recorded after the send",
  ),
  claim("no_final_answer", always, "no final answer after the send"),
];

/** The row that an operation's outbox station is about: what is dead or waits comes first. */
export function outboxRowOf({ record: { outbox } }: Pick<OperationCase, "record">): OutboxRow | undefined {
  return outbox.find(({ state }) => state === "dead") ?? outbox.find(({ state }) => state === "pending") ?? outbox[0];
}

/** The handling that its inbox station is about: of its own events, where there are any; never a webhook of the provider. */
export function inboxRowOf({ record }: Pick<OperationCase, "record">): InboxRow | undefined {
  const foreign = new Set(record.webhooks.map(({ inboxId }) => inboxId));
  const others = record.inbox.filter(({ id }) => !foreign.has(id));
  const own = others.filter((row) => record.outbox.some(({ id }) => id === row.messageId));
  const rows = own.length > 0 ? own : others;
  return rows.find(({ state }) => state === "dead") ?? rows.find(({ state }) => state === "recorded") ?? rows[0];
}

const outIs =
  (state: OutboxRow["state"]): Holds =>
  (it) =>
    outboxRowOf(it)?.state === state;
const tried = (row: { readonly attempts: number } | undefined): string => plural(row?.attempts ?? 0, "attempt");

export const OUTBOX_FACTS: ChainClaims = [
  claim("dead", outIs("dead"), (it) => `dead after ${tried(outboxRowOf(it))}`),
  claim("pending", outIs("pending"), (it) => `pending, ${tried(outboxRowOf(it))}`),
  claim("discarded", outIs("discarded"), "discarded"),
  claim("published", outIs("published"), (it) => `published to ${outboxRowOf(it)?.topic ?? ""}`),
];

const inIs =
  (state: InboxRow["state"]): Holds =>
  (it) =>
    inboxRowOf(it)?.state === state;
const consumer = (it: OperationCase): string => inboxRowOf(it)?.consumer ?? "";

export const INBOX_FACTS: ChainClaims = [
  claim("processed", inIs("processed"), (it) => `processed by ${consumer(it)}`),
  claim("dead", inIs("dead"), (it) => `dead at ${consumer(it)}`),
  claim("discarded", inIs("discarded"), (it) => `discarded at ${consumer(it)}`),
  claim("waits", inIs("recorded"), (it) => `waits for ${consumer(it)}`),
];

export const DUPLICATE_FACTS: ChainClaims = [
  claim(
    "duplicates",
    (it) => (inboxRowOf(it)?.duplicates ?? 0) > 0,
    (it) => `${plural(inboxRowOf(it)?.duplicates ?? 0, "duplicate")} refused`,
  ),
];

export const LEDGER_FACTS: ChainClaims = [
  claim("entries", always, ({ record }) => plural(record.ledger.length, "entry", "entries")),
];

export const ENTRY_FACTS: ChainClaims = [
  claim(
    "amount",
    ({ record }) => record.ledger.length === 1,
    ({ record }) => record.ledger[0]?.money.display ?? "",
  ),
];

/** Milliseconds between two moments, as a way shows them. @param from,to RFC 3339 */
export function spanText(from: string, to: string): string {
  return formatDuration(Date.parse(to) - Date.parse(from));
}
