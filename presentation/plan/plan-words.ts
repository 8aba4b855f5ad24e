import { writtenTime } from "@/domain/written-time";
import { filtersOfScope, publishedOfPlan, scopeOfPlan } from "../filters/plan-scope";
import { glyphWord } from "../format/glyph";
import { formatAmount } from "@/domain/money";
import type { PublishedScope } from "@/domain/lists/filters";
import { RESOLVE_KIND, unitOf, unitsOf, type PlanKindName } from "@/domain/plans/plan";
import { type PlanResolution, resolutionOfPlan } from "@/domain/plans/resolution";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";
import { topicLabel } from "@/domain/messages/topic-label";
import { formatCount } from "../format/display-time";

const LABELS: Readonly<Record<string, string>> = {
  side: "side",
  place: "place",
  type: "type",
  error: "error",
  fingerprint: "cause",
  group: "error",
  operationId: "operation",
  from: "dead from",
  to: "dead before",
};

/** What a plan froze, as one line: "place ledger, error http.503", "12 selected rows", "what plan 01a1… left". */
export function scopeWords(filter: Readonly<Record<string, unknown>>): string {
  const { ids, rerunOf, corrects, resolves, attachment } = filter;
  if (typeof resolves === "string") return `operation ${resolves.slice(-8)}`;
  if (typeof corrects === "string") return `message ${corrects.slice(-8)}`;
  if (typeof ids === "number") return ids === 1 ? "1 selected row" : `${formatCount(ids)} selected rows`;
  if (typeof rerunOf === "string") return `what plan ${rerunOf.slice(-8)} left`;
  if (isPurge(filter)) return purgeWords(filter);
  const chips = scopeChips(filter);
  const said = chips.map(({ name, value }) => `${name} ${value}`).join(", ");
  if (typeof attachment === "string") return `the newest dead rows${said === "" ? "" : `: ${said}`}`;
  if (said !== "") return said;
  if (publishedOfPlan(filter) !== undefined) return "every published message";
  return scopeOfPlan(filter) === undefined ? "every open dead letter" : "every operation";
}

/** Finished rows of an attached database by their age, and how many the dry run counted. */
interface PurgeScope {
  readonly before: string;
  readonly due: number;
  readonly more: boolean;
}

const isPurge = (filter: Readonly<Record<string, unknown>>): filter is Readonly<Record<string, unknown>> & PurgeScope =>
  typeof filter["before"] === "string" && typeof filter["due"] === "number";

function purgeWords({ before, due, more }: PurgeScope): string {
  const rows = `${formatCount(due)} finished ${due === 1 ? "row" : "rows"} from before ${writtenTime(before)}`;
  return more ? `the first ${rows}; there may be more` : rows;
}

const named = (name: string, value: string): string => (name === "place" ? topicLabel(value) : value);

/** What happens to one row that acts, and to several, behind "is" or "would be". */
const KIND_EFFECTS: Readonly<Record<PlanKindName, readonly [one: string, many: string]>> = {
  requeue_dead_letters: ["requeued under the same id", "requeued under the same ids"],
  discard_dead_letters: ["discarded, and kept on record", "discarded, and kept on record"],
  reconcile_operations: ["asked about at the provider", "asked about at the provider"],
  release_operations: ["released without effect", "released without effect"],
  purge_bodies: ["purged of its bodies, its fingerprint kept", "purged of their bodies, their fingerprints kept"],
  resolve_operations: ["settled as was decided", "settled as was decided"],
  republish_messages: ["published again under the same id", "published again under the same ids"],
  requeue_attached: ["requeued by the function of its owner", "requeued by the function of their owner"],
  purge_attached: [
    "run by the function of its owner, as a batch of at most 500 rows",
    "run by the function of their owner, as batches of at most 500 rows each",
  ],
  discard_attached: ["discarded by the function of its owner", "discarded by the function of their owner"],
  correct_dead_letter: [
    "replaced by a new message with the corrected body",
    "replaced by new messages with corrected bodies",
  ],
};

/** "1,200 would be asked about at the provider" without its beginning. @param count rows that it is said of */
export function kindEffect(kind: PlanKindName, count: number): string {
  return KIND_EFFECTS[kind][count === 1 ? 0 : 1];
}

/** Rows whose service is asked to settle them as was decided. */
export function askedRows(verdicts: PlanVerdicts): number {
  return (verdicts ?? []).reduce((sum, row) => sum + (row.acts && row.verdict === "ask_service" ? row.count : 0), 0);
}

/** Rows that a requeue closes instead, because a consumer holds them already: nothing of them is sent. */
export function closingRows(verdicts: PlanVerdicts): number {
  return (verdicts ?? []).reduce((sum, row) => sum + (row.acts && row.verdict === "processed" ? row.count : 0), 0);
}

type PlanVerdicts =
  readonly { readonly verdict: PlanItemVerdict; readonly acts: boolean; readonly count: number }[] | undefined;

/** What would happen to the rows of a plan: "2 rows are requeued under the same ids, 1 of them closed as delivered". */
export function effectOfRows(kind: PlanKindName, acting: number, verdicts: PlanVerdicts): string {
  const closing = closingRows(verdicts);
  const effect = `${rowsWord(acting, kind)} ${acting === 1 ? "is" : "are"}`;
  if (closing === 0) return `${effect} ${kindEffect(kind, acting)}`;
  return `${effect} requeued under the same id, or closed as delivered where a consumer has it`;
}

/** "3", of a purge of an attached database "3 batches". */
export const countWord = (count: number, kind: PlanKindName): string =>
  unitOf(kind) === "batch" ? rowsWord(count, kind) : formatCount(count);

/** "1 row", "1,200 rows"; of a purge of an attached database "3 batches". */
export function rowsWord(count: number, kind: PlanKindName): string {
  return `${formatCount(count)} ${count === 1 ? unitOf(kind) : unitsOf(kind)}`;
}

export interface ScopeChip {
  readonly name: string;
  readonly value: string;
}

/** The frozen filter, one entry for each part of it; empty for named rows. */
export function scopeChips(filter: Readonly<Record<string, unknown>>): readonly ScopeChip[] {
  const scope = scopeOfPlan(filter);
  const published = publishedOfPlan(filter);
  const resolution = resolutionOfPlan(filter);
  if (isPurge(filter))
    return [
      { name: "from before", value: writtenTime(filter.before) },
      { name: "rows", value: `${formatCount(filter.due)}${filter.more ? ", and there may be more" : ""}` },
    ];
  if (resolution !== undefined) return resolutionChips(resolution);
  if (published !== undefined) return publishedChips(published);
  if (scope === undefined)
    return Object.entries(LABELS).flatMap(([name, label]) => {
      const value = filter[name];
      return typeof value === "string" ? [{ name: label, value: named(name, value) }] : [];
    });
  const { states, attention, from, to, min, max, currency, operation, client, account, reference, key, error } =
    filtersOfScope(scope);
  const money = (minor: string | undefined) =>
    minor === undefined ? undefined : formatAmount(BigInt(minor), currency ?? "EUR");
  const parts: Readonly<Record<string, string | undefined>> = {
    state: states.length === 0 ? undefined : states.map((state) => glyphWord(state).toLowerCase()).join(" or "),
    only: attention ? "unknown or stale" : undefined,
    operation,
    client,
    account,
    reference,
    key,
    error,
    currency,
    "at least": money(min),
    "at most": money(max),
    from: from === undefined ? undefined : writtenTime(from),
    until: to === undefined ? undefined : writtenTime(to),
  };
  return Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

const DECISION_WORDS = { succeeded: "it succeeded", failed: "it failed" } as const;

function resolutionChips({ decision, evidence, providerReference }: PlanResolution): readonly ScopeChip[] {
  return [
    { name: "decision", value: DECISION_WORDS[decision] },
    ...evidence.map((value) => ({ name: "evidence", value })),
    ...(providerReference === undefined ? [] : [{ name: "provider's reference", value: providerReference }]),
  ];
}

function publishedChips({ topic, from, to, ...rest }: PublishedScope): readonly ScopeChip[] {
  const { transport, type, aggregate, error, operationId } = rest;
  const parts: Readonly<Record<string, string | undefined>> = {
    topic: topic === undefined ? undefined : topicLabel(topic),
    transport,
    type,
    "ordering key": aggregate,
    error,
    operation: operationId,
    "published from": from === undefined ? undefined : writtenTime(from, "second"),
    "published before": to === undefined ? undefined : writtenTime(to, "second"),
  };
  return Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** Whether what a kind acts on are operations; otherwise messages. */
export function aboutOperations(kind: PlanKindName): boolean {
  return (
    kind === "reconcile_operations" || kind === "release_operations" || kind === "purge_bodies" || kind === RESOLVE_KIND
  );
}

/** What a row that is done did, as a sentence about one ends, and about several. */
const KIND_DONE: Readonly<Record<PlanKindName, readonly [one: string, many: string]>> = {
  requeue_dead_letters: ["was requeued", "were requeued"],
  discard_dead_letters: ["was discarded", "were discarded"],
  reconcile_operations: ["became certain", "became certain"],
  release_operations: ["was released", "were released"],
  purge_bodies: ["was purged", "were purged"],
  resolve_operations: ["was settled by hand", "were settled by hand"],
  republish_messages: ["was put back to be published", "were put back to be published"],
  requeue_attached: ["was requeued", "were requeued"],
  purge_attached: ["was purged", "were purged"],
  discard_attached: ["was discarded", "were discarded"],
  correct_dead_letter: ["was corrected", "were corrected"],
};

/** "All 3 were set going again", "Both were …", "2 of 3 were …", "None of 3 was …", "The row was …", "All 3 batches were …"; of: rows that the dry run let act. */
export function doneWords(kind: PlanKindName, done: number, of: number): string {
  const [one, many] = KIND_DONE[kind];
  if (of === 0) return `No ${unitOf(kind)} was to act`;
  if (of === 1) return `The ${unitOf(kind)} ${done === 1 ? one : not(one)}`;
  const batches = unitOf(kind) === "batch" ? " batches" : "";
  if (done === 0) return `None of ${formatCount(of)}${batches} ${one}`;
  return done === of
    ? `${of === 2 ? "Both" : `All ${formatCount(of)}`}${batches} ${many}`
    : `${formatCount(done)} of ${formatCount(of)}${batches} ${done === 1 ? one : many}`;
}

const not = (words: string): string =>
  words.startsWith("was ") ? `was not${words.slice("was".length)}` : "did not become certain";

export const KIND_NEVER: Readonly<Record<PlanKindName, string>> = {
  requeue_dead_letters:
    "Ids and bodies stay the same. Onceboard calls no provider and touches no payment, but for a webhook of the provider: it has its open operation recovered.",
  discard_dead_letters: "What was discarded cannot be taken back. No message is edited, no money moves.",
  reconcile_operations: "No money is sent: the provider is only asked. A settled answer cannot be taken back.",
  release_operations: "Nobody is asked and no money is sent. A key whose command was sent is left as it is.",
  resolve_operations: "Nothing is sent to the provider. A settled answer cannot be taken back.",
  republish_messages:
    "Ids and bodies stay the same, so a receiver that has one drops the copy by its id. What was sent cannot be taken back.",
  requeue_attached:
    "Only the guarded function is called: a row that is not dead by then is left alone. Its own worker does the rest.",
  discard_attached:
    "Only the guarded function is called: a row that is not dead by then is left alone. What was discarded cannot be taken back.",
  purge_attached:
    "Only the guarded function is called, each time for at most as many rows as its batch counted. What was deleted cannot be brought back.",
  correct_dead_letter: "The old message is no longer sent. Topic, order and operation stay the same.",
  purge_bodies:
    "A purge cannot be taken back. Key, fingerprint, state and events stay, so no key runs again because of it.",
};
