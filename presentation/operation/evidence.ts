import { moneyView } from "./money-view";
import { aboutOpenAttempt, lookUps, recordProvider } from "./operation-record";
import { usesProvider } from "@/domain/operation-label";
import { providerGap } from "@/domain/idempotency/provider-capabilities";
import type { GlyphText } from "../views/common";
import type { EvidenceRow, EvidenceView, OperationRecord, WebhookFact } from "../views/operations";
import { few, times } from "../format/words";

type Word = "succeeded" | "failed" | "processing" | "contradiction" | "nothing";

const SAYS: Readonly<Record<Word, GlyphText>> = {
  succeeded: { glyph: "proven", tone: "proven", text: "succeeded" },
  failed: { glyph: "FAILED_REPLAYABLE", tone: "plain", text: "failed" },
  processing: { glyph: "IN_PROGRESS", tone: "moving", text: "processing" },
  contradiction: { glyph: "skipped", tone: "doubt", text: "other amount or currency" },
  nothing: { glyph: "empty", tone: "quiet", text: "nothing" },
};

interface Source {
  readonly row: EvidenceRow;
  readonly word: Word;
}

/** What each source says about an operation in doubt, and where that leans. Undefined when nothing is in doubt. */
export function gatherEvidence(record: OperationRecord): EvidenceView | undefined {
  if (record.state !== "UNKNOWN_REQUIRES_RECOVERY" && record.state !== "STALE") return undefined;
  if (!usesProvider(record.operation)) return undefined;
  const about = { ...record, ...aboutOpenAttempt(record) };
  const sources = [...about.webhooks.map((hook) => webhook(about, hook)), ...lookUp(about), ledger(about)];
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
  return { word, row: { ...row, says: { ...SAYS[word], text }, final: word === "succeeded" || word === "failed" } };
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

/** Of the last look-up that was answered; one that is under way says nothing yet. */
function lookUp(record: OperationRecord): Source[] {
  const asked = lookUps(record);
  const last = asked.filter((call) => call.state === "answered").at(-1);
  if (last === undefined) return [];
  const word = LOOK_UP_WORDS[last.outcome ?? ""] ?? "nothing";
  const message = word === "nothing" ? (last.detail ?? "no answer") : undefined;
  const row = {
    ref: `lookup:${last.id}`,
    source: "Provider look-up",
    note: `by the provider key, asked ${times(asked.length)}`,
    at: last.answeredAt,
  };
  return [source(word, row, last.outcome === "absent" ? "never received" : message)];
}

const LOOK_UP_WORDS: Readonly<Record<string, Word>> = {
  succeeded: "succeeded",
  processing: "processing",
  declined: "failed",
  contradicting: "contradiction",
};

function ledger({ ledger, at }: OperationRecord): Source {
  const row = { ref: "ledger", source: "Ledger", note: "entries for this operation", at, atNote: "read now" };
  return ledger.length > 0 ? source("succeeded", row, `${String(ledger.length)} posted`) : source("nothing", row);
}

function lean(sources: readonly Source[]): Pick<EvidenceView, "leans" | "sentence"> {
  const count = (word: Word): number => sources.filter((each) => each.word === word).length;
  const [good, bad, open, other] = [count("succeeded"), count("failed"), count("processing"), count("contradiction")];
  if (other > 0 || (good > 0 && bad > 0)) {
    const sentence = "The sources contradict each other. Only the provider's own records settle this.";
    return { leans: "contradiction", sentence };
  }
  if (good === 0 && bad === 0) {
    const are = open === 1 ? "source is" : "sources are";
    const why = open > 0 ? `${capital(few(open))} ${are} not final.` : "No source says anything final.";
    return { leans: "nothing", sentence: `Leans to nothing yet. ${why}` };
  }
  const final = good + bad;
  const parts = [`${capital(few(final))} final ${final === 1 ? "source says" : "sources say"} so`];
  if (open > 0) parts.push(`${few(open)} ${open === 1 ? "is" : "are"} not final`);
  parts.push("none says otherwise");
  const leans = good > 0 ? "succeeded" : "failed";
  return { leans, sentence: `Leans to ${leans}. ${parts.join(", ")}.` };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
