import { moneyView } from "./money-view";
import { aboutOpenAttempt, effectCalls, lookUps, recordProvider } from "./operation-record";
import { firstClaim, type PageClaim } from "@/domain/page-claim";
import { providerGap } from "@/domain/idempotency/provider-capabilities";
import type { GlyphText } from "../views/common";
import type { EvidenceRow, EvidenceView, OperationRecord, ProviderCallRow, WebhookFact } from "../views/operations";
import { few, times } from "../format/words";

type Word = "succeeded" | "failed" | "processing" | "contradiction" | "nothing";

const SAYS: Readonly<Record<Word, GlyphText>> = {
  succeeded: { glyph: "proven", tone: "proven", text: "succeeded" },
  failed: { glyph: "FAILED_REPLAYABLE", tone: "plain", text: "failed" },
  processing: { glyph: "IN_PROGRESS", tone: "moving", text: "processing" },
  contradiction: { glyph: "skipped", tone: "doubt", text: "other amount or currency" },
  nothing: { glyph: "empty", tone: "quiet", text: "nothing" },
};

const isFinal = (word: Word | undefined): boolean => word === "succeeded" || word === "failed";

interface Source {
  readonly row: EvidenceRow;
  readonly word: Word;
}

/** What each source says about an operation in doubt, and where that leans. Undefined when nothing is in doubt. */
export function gatherEvidence(record: OperationRecord): EvidenceView | undefined {
  if (record.state !== "UNKNOWN_REQUIRES_RECOVERY" && record.state !== "STALE") return undefined;
  if (record.about.path !== "provider") return undefined;
  const about = { ...record, ...aboutOpenAttempt(record) };
  const sources = [
    ...about.webhooks.map((hook) => webhook(about, hook)),
    ...answers(about),
    ...lookUpSources(about),
    ledger(about),
  ];
  return { ...lean(sources), gap: providerGap(recordProvider(record)), rows: sources.map(({ row }) => row) };
}

function webhook(record: OperationRecord, hook: WebhookFact): Source {
  const { minor, currency, state } = hook;
  const note = moneyNote(record, minor, currency);
  const word: Word = note === "same" || note === undefined ? (hook.says ?? "nothing") : "contradiction";
  return source(word, {
    ref: `webhook:${hook.inboxId}`,
    source: "Signed webhook",
    note: `${hook.type}, signature valid`,
    money: minor === undefined ? undefined : moneyView(BigInt(minor), currency),
    moneyNote: note,
    at: hook.at,
    atNote: state === "processed" ? "handled" : state === "dead" ? "dead in the inbox" : "waits in the inbox",
  });
}

/** @param text instead of the word's own */
function source(word: Word, row: Omit<EvidenceRow, "says" | "final">, text: string = SAYS[word].text): Source {
  return { word, row: { ...row, says: { ...SAYS[word], text }, final: isFinal(word) } };
}

function moneyNote(
  { money }: OperationRecord,
  minor: string | undefined,
  currency: string | undefined,
): string | undefined {
  if (minor === undefined || currency === undefined || money === undefined) return undefined;
  if (currency !== money.currency) return "other currency";
  return minor === money.minor ? "same" : "other amount";
}

/** What a call was answered for good; the newest of each word, as two calls may have been answered differently. */
function finals(calls: readonly ProviderCallRow[]): readonly ProviderCallRow[] {
  const final = calls.filter(({ outcome }) => isFinal(CALL_WORDS[outcome ?? ""]) || outcome === "contradicting");
  return final.filter((call, index) => final.findLastIndex(({ outcome }) => outcome === call.outcome) === index);
}

/** The provider's answer to what was sent, where it came and is not recorded as the outcome yet. */
function answers(record: OperationRecord): readonly Source[] {
  return finals(effectCalls(record)).map((call) =>
    source(CALL_WORDS[call.outcome ?? ""] ?? "nothing", {
      ref: `answer:${call.id}`,
      source: "Provider's answer",
      note: "to what was sent",
      money: call.money,
      at: call.answeredAt,
    }),
  );
}

/** Of the look-ups that were answered: what is final, else the last. One that is under way says nothing yet. */
function lookUpSources(record: OperationRecord): readonly Source[] {
  const asked = lookUps(record);
  const answered = asked.filter((call) => call.state === "answered");
  const final = finals(answered);
  return (final.length > 0 ? final : answered.slice(-1)).map((call) => {
    const word = CALL_WORDS[call.outcome ?? ""] ?? "nothing";
    const message = word === "nothing" ? (call.detail ?? "no answer") : undefined;
    const row = {
      ref: `lookup:${call.id}`,
      source: "Provider look-up",
      note: `by the provider key, asked ${times(asked.length)}`,
      at: call.answeredAt,
    };
    return source(word, row, call.outcome === "absent" ? "never received" : message);
  });
}

const CALL_WORDS: Readonly<Record<string, Word>> = {
  succeeded: "succeeded",
  processing: "processing",
  declined: "failed",
  contradicting: "contradiction",
};

function ledger({ ledger, at }: OperationRecord): Source {
  const row = { ref: "ledger", source: "Ledger", note: "entries for this operation", at, atNote: "read now" };
  return ledger.length > 0 ? source("succeeded", row, `${String(ledger.length)} posted`) : source("nothing", row);
}

/** How many sources say what. */
export type EvidenceCounts = Readonly<Record<Exclude<Word, "nothing">, number>>;

export interface EvidenceClaim extends PageClaim<EvidenceCounts> {
  readonly leans: EvidenceView["leans"];
}

const disagree = ({ succeeded, failed, contradiction }: EvidenceCounts): boolean =>
  contradiction > 0 || (succeeded > 0 && failed > 0);

const leansTo = (word: "succeeded" | "failed"): EvidenceClaim => ({
  name: `leans_to_${word}`,
  leans: word,
  holds: (counts) => !disagree(counts) && counts[word] > 0,
  words: (counts) => {
    const [final, open] = [counts[word], counts.processing];
    const parts = [`${capital(few(final))} final ${final === 1 ? "source says" : "sources say"} so`];
    if (open > 0) parts.push(`${few(open)} ${open === 1 ? "is" : "are"} not final`);
    return `Leans to ${word}. ${[...parts, "none says otherwise"].join(", ")}.`;
  },
});

/** Where the evidence of an operation in doubt leans: exactly one holds. */
export const EVIDENCE_CLAIMS: readonly EvidenceClaim[] = [
  {
    name: "sources_contradict",
    leans: "contradiction",
    holds: disagree,
    words: () => "The sources contradict each other. Only the provider's own records settle this.",
  },
  leansTo("succeeded"),
  leansTo("failed"),
  {
    name: "leans_to_nothing",
    leans: "nothing",
    holds: ({ succeeded, failed, contradiction }) => succeeded + failed + contradiction === 0,
    words: ({ processing: open }) =>
      `Leans to nothing yet. ${open > 0 ? `${capital(few(open))} ${open === 1 ? "source is" : "sources are"} not final.` : "No source says anything final."}`,
  },
];

function lean(sources: readonly Source[]): Pick<EvidenceView, "leans" | "sentence"> {
  const count = (word: Word): number => sources.filter((each) => each.word === word).length;
  const counts: EvidenceCounts = {
    succeeded: count("succeeded"),
    failed: count("failed"),
    processing: count("processing"),
    contradiction: count("contradiction"),
  };
  const { leans, words } = firstClaim(EVIDENCE_CLAIMS, counts);
  return { leans, sentence: words(counts) };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
