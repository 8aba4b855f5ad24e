import { originalKey } from "@/domain/idempotency/idempotency-key";
import type { PageClaim } from "@/domain/page-claim";
import { plural, spokenDuration, times } from "../format/words";
import type { VerdictClause } from "../views/common";
import type { OperationRecord } from "../views/operations";
import { confirmedText, unconfirmedText } from "./hand-settlement";
import { keyRetry, type KeyRetry } from "./key-retry";
import type { OperationCase } from "./operation-case";

type Tone = VerdictClause["tone"];

/** A claim of the verdict; without a tone it needs no look. */
export interface VerdictClaim extends PageClaim<OperationCase> {
  readonly tone?: (it: OperationCase) => Tone;
}

type Holds = (it: OperationCase) => boolean;
type Words = string | ((it: OperationCase) => string);

const claim = (
  name: string,
  holds: Holds,
  words: Words,
  tone?: Tone | ((it: OperationCase) => Tone),
): VerdictClaim => ({
  name,
  holds,
  words: typeof words === "string" ? () => words : words,
  ...(tone !== undefined && { tone: typeof tone === "string" ? () => tone : tone }),
});

/** An effect without a ledger entry is doubtful after this, while its messages are still on their way. */
export const LEDGER_DUE_MS = 60_000;

const stateIs =
  (...states: readonly OperationRecord["state"][]): Holds =>
  ({ record }) =>
    states.includes(record.state);
const unknown = stateIs("UNKNOWN_REQUIRES_RECOVERY");
const stale = stateIs("STALE");
const inProgress = stateIs("IN_PROGRESS");
const windowOver: Holds = ({ record }) => record.state === "EXPIRED" || record.expiresAt <= record.at;
const retryIs =
  (retry: KeyRetry): Holds =>
  ({ record }) =>
    keyRetry(record) === retry;
const inDoubt = stateIs("UNKNOWN_REQUIRES_RECOVERY", "STALE");
const since = ({ record }: OperationCase, from: string): string =>
  spokenDuration(Date.parse(record.at) - Date.parse(from));

const twice: Holds = ({ objects }) => objects > 1;
/** A decision that the provider bears out is no longer what the outcome rests on. */
const onDecision: Holds = ({ hand, stand }) => hand !== undefined && stand.stand !== "confirmed";

const EFFECT: readonly VerdictClaim[] = [
  claim("executed_often", twice, ({ objects }) => `Executed ${times(objects)}.`, "broken"),
  claim(
    "proof_failed",
    twice,
    ({ objects }) => `Proof failed: ${String(objects)} effects at the provider, 1 key.`,
    "broken",
  ),
  claim(
    "outcome_unknown",
    unknown,
    (it) => `Outcome unknown for ${since(it, it.record.unknownSince ?? it.record.createdAt)}.`,
    "doubt",
  ),
  claim(
    "owner_silent",
    stale,
    (it) => `Its owner has been silent for ${since(it, it.record.lockedUntil ?? it.record.createdAt)}.`,
    "doubt",
  ),
  claim("in_progress", inProgress, (it) => `In progress for ${since(it, it.record.createdAt)}.`),
  claim("executed_once", (it) => it.end === "succeeded" && !onDecision(it) && !twice(it), "Executed once."),
  claim(
    "not_executed",
    (it) => (it.end === "refused" || it.end === "no effect") && !onDecision(it) && it.acted === undefined,
    "Not executed.",
  ),
  claim(
    "settled_by_hand",
    onDecision,
    ({ hand, stand }) => (hand === undefined ? "" : unconfirmedText(hand, stand.stand)),
    ({ stand }) => (stand.stand === "contradicts it" ? "broken" : "doubt"),
  ),
  claim(
    "hand_confirmed",
    ({ hand, stand }) => hand !== undefined && stand.stand === "confirmed",
    ({ stand }) => confirmedText(stand.source ?? "answer"),
  ),
  claim(
    "provider_acted_after_all",
    (it) => (it.end === "refused" || it.end === "no effect") && it.hand === undefined && it.acted !== undefined,
    "It was settled as not executed, and the provider says it succeeded.",
    "broken",
  ),
  claim(
    "provider_denies",
    (it) => it.end === "succeeded" && it.hand === undefined && it.declined !== undefined,
    "The provider says that it failed.",
    "broken",
  ),
];

const PROVIDER: readonly VerdictClaim[] = [
  claim("may_run_again", retryIs("runs"), "The same key may run again."),
  claim("runs_used_up", retryIs("is refused"), "Its policy lets the key run no more: a retry is refused."),
  claim("service_decides", retryIs("its service decides"), "Its own service decides whether the same key runs again."),
  claim(
    "refused_by_provider",
    (it) => it.record.state === "FAILED_REPLAYABLE" && it.hand === undefined && it.declined !== undefined,
    "Refused by the provider, the refusal is final.",
  ),
  claim(
    "refused_before_sending",
    (it) => it.record.state === "FAILED_REPLAYABLE" && it.hand === undefined && it.sent === 0,
    "Refused before anything was sent, the refusal is final.",
  ),
  claim(
    "refusal_is_final",
    (it) =>
      it.record.state === "FAILED_REPLAYABLE" && (it.hand !== undefined || (it.sent > 0 && it.declined === undefined)),
    "The refusal is final.",
  ),
  claim("key_expired", (it) => it.end !== "open" && windowOver(it), "The key has expired."),
  claim(
    "key_given_on",
    ({ record }) => originalKey(record.key, record.operationId) !== record.key,
    "It was given to a later operation.",
  ),
  claim("stays_here", (it) => inDoubt(it) && it.ours && it.local, "It never leaves this database."),
  claim(
    "nothing_sent",
    (it) => inDoubt(it) && !(it.ours && it.local) && it.sent === 0,
    "Nothing was sent to the provider.",
  ),
  claim("sent_once", (it) => it.sent === 1 && (inDoubt(it) || inProgress(it)), "Sent to the provider once."),
  claim(
    "sent_often",
    (it) => it.sent > 1 && (inDoubt(it) || inProgress(it) || it.record.state === "COMPLETED"),
    (it) => `Sent to the provider ${times(it.sent)}${providerKeys(it) === 1 ? " under one provider key" : ""}.`,
  ),
  claim(
    "only_a_person",
    (it) => inDoubt(it) && it.sent > 0 && it.onlyAPerson,
    "It can neither be asked nor sent the same key again: only a person settles this.",
    "doubt",
  ),
];

/** Keys of the effect calls that left: one more after each decline that did not bind. */
function providerKeys({ record }: OperationCase): number {
  const sent = record.provider.filter(({ kind, state }) => kind !== "lookup" && state !== "prepared");
  return new Set(sent.map(({ providerKey }) => providerKey)).size;
}

/** A key that was retried more often than its page reads has no exact count. */
const atLeast = ({ record }: OperationCase): string => (record.eventsCut === true ? "at least " : "");
const answeredWords = (it: OperationCase, count: number): string => `Answered ${atLeast(it)}${times(count)}`;
const settled: Holds = ({ end }) => end !== "open";
const replayed: Holds = (it) => it.served > 1 && !it.different;
const cut: Holds = ({ record }) => record.eventsCut === true;
const byReference: Holds = ({ record }) => record.replay === "reference";

const ANSWERS: readonly VerdictClaim[] = [
  claim(
    "answered_without_outcome",
    (it) => it.served === 0 && !settled(it) && it.answered + it.conflicts > 0,
    (it) => `${answeredWords(it, it.answered + it.conflicts)}, never with an outcome.`,
  ),
  claim(
    "outcome_not_served",
    (it) => it.served === 0 && settled(it) && it.end !== "no effect" && it.answered > 0,
    (it) => `${answeredWords(it, it.answered)}, never with this outcome.`,
  ),
  claim(
    "answered",
    (it) => it.served === 0 && it.end === "no effect" && it.answered > 0,
    (it) => `${answeredWords(it, it.answered)}.`,
  ),
  claim(
    "served_once",
    (it) => it.served === 1,
    (it) => `${answeredWords(it, 1)}.`,
  ),
  claim(
    "served_equal",
    (it) => replayed(it) && !cut(it),
    (it) => `${answeredWords(it, it.served)}, ${it.served > 2 ? "all " : ""}byte-equal.`,
  ),
  claim(
    "first_served_equal",
    (it) => replayed(it) && cut(it),
    (it) => `${answeredWords(it, it.served)}, the first ${String(it.served)} byte-equal.`,
  ),
  claim(
    "served_by_reference",
    (it) => it.different && byReference(it),
    (it) => `${answeredWords(it, it.served)}, each time with the resource as it was then.`,
  ),
  claim(
    "served_different",
    (it) => it.different && !byReference(it),
    (it) => `${answeredWords(it, it.served)}, not byte-equal.`,
    "broken",
  ),
  claim(
    "other_requests",
    (it) => it.served > 0 && it.others.size > 0,
    (it) =>
      `Other requests: ${atLeast(it)}${[...it.others].map(([word, count]) => `${String(count)} ${word}`).join(", ")}.`,
  ),
  claim(
    "other_command_refused",
    (it) => settled(it) && it.conflicts > 0,
    (it) => `Another command was refused ${atLeast(it)}${times(it.conflicts)}.`,
    "conflict",
  ),
];

const isDead = (row: { readonly state: string }): boolean => row.state === "dead";
const attempts = (row: { readonly attempts: number } | undefined): string => plural(row?.attempts ?? 0, "attempt");
const deadOut: Holds = ({ record }) => record.outbox.some(isDead);
const deadIn: Holds = ({ record }) => record.inbox.some(isDead);
const posted: Holds = ({ record }) => record.ledger.length > 0;
/** A success that has to be posted, and is not. */
const owed: Holds = (it) => it.record.state === "COMPLETED" && it.posts && !posted(it);
const late: Holds = ({ record }) =>
  Date.parse(record.at) - Date.parse(record.completedAt ?? record.createdAt) > LEDGER_DUE_MS;

const MESSAGES: readonly VerdictClaim[] = [
  claim("outbox_dead", deadOut, ({ record }) => `Outbox dead after ${attempts(record.outbox.find(isDead))}.`, "broken"),
  claim("inbox_dead", deadIn, ({ record }) => `Inbox dead after ${attempts(record.inbox.find(isDead))}.`, "broken"),
  claim(
    "no_outbox_row",
    (it) => owed(it) && it.publishes && it.record.outbox.length === 0 && it.record.inbox.length === 0,
    "No outbox row.",
    "broken",
  ),
  claim("ledger_posted", posted, "Ledger posted."),
  claim(
    "ledger_not_posted",
    (it) => !posted(it) && ((it.posts && unknown(it)) || (owed(it) && (deadOut(it) || deadIn(it) || late(it)))),
    "Ledger not posted.",
    (it) => (deadOut(it) || deadIn(it) ? "broken" : "doubt"),
  ),
  claim("ledger_not_yet", (it) => owed(it) && !deadOut(it) && !deadIn(it) && !late(it), "Ledger not posted yet."),
];

/** What the page of an operation says first, in this order. */
export const OPERATION_CLAIMS: readonly VerdictClaim[] = [...EFFECT, ...PROVIDER, ...ANSWERS, ...MESSAGES];
