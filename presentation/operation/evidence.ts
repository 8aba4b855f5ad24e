import { moneyView } from "./money-view";
import { aboutOpenAttempt, lookUps, recordProvider } from "./operation-record";
import { usesProvider } from "@/domain/operation-label";
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
  const { leans, sentence } = lean(sources);
  return { leans, sentence, gap: providerGap(recordProvider(record)), rows: sources.map((source) => source.row) };
}

function webhook(record: OperationRecord, hook: WebhookFact): Source {
  const note = moneyNote(record, hook.minor, hook.currency);
  const word: Word = note === "same" || note === undefined ? (hook.says ?? "nothing") : "contradiction";
  return {
    word,
    row: {
      ref: `webhook:${hook.inboxId}`,
      source: "Signed webhook",
      note: `${hook.type}, signature valid`,
      says: SAYS[word],
      final: word === "succeeded" || word === "failed",
      money: hook.minor === undefined ? undefined : moneyView(BigInt(hook.minor), hook.currency),
      moneyNote: note,
      at: hook.at,
      atNote:
        hook.state === "processed" ? "handled" : hook.state === "dead" ? "dead in the inbox" : "waits in the inbox",
    },
  };
}

function moneyNote(
  record: OperationRecord,
  minor: string | undefined,
  currency: string | undefined,
): string | undefined {
  if (minor === undefined || currency === undefined || record.money === undefined) return undefined;
  if (currency !== record.money.currency) return "other currency";
  return minor === record.money.minor ? "same" : "other amount";
}

/** Of the last look-up that was answered; one that is under way says nothing yet. */
function lookUp(record: OperationRecord): Source[] {
  const asked = lookUps(record);
  const last = asked.filter((call) => call.state === "answered").at(-1);
  if (last === undefined) return [];
  const word = lookUpWord(last);
  const absent = last.outcome === "absent";
  return [
    {
      word,
      row: {
        ref: `lookup:${last.id}`,
        source: "Provider look-up",
        note: `by the provider key, asked ${times(asked.length)}`,
        says: absent
          ? { ...SAYS.nothing, text: "never received" }
          : word === "nothing"
            ? { ...SAYS.nothing, text: last.detail ?? "no answer" }
            : SAYS[word],
        final: word === "succeeded" || word === "failed",
        at: last.answeredAt,
      },
    },
  ];
}

function lookUpWord(call: ProviderCallRow): Word {
  switch (call.outcome) {
    case "succeeded":
    case "processing":
      return call.outcome;
    case "declined":
      return "failed";
    case "contradicting":
      return "contradiction";
    default:
      return "nothing";
  }
}

function ledger(record: OperationRecord): Source {
  const posted = record.ledger.length > 0;
  const word: Word = posted ? "succeeded" : "nothing";
  return {
    word,
    row: {
      ref: "ledger",
      source: "Ledger",
      note: "entries for this operation",
      says: posted ? { ...SAYS.succeeded, text: `${String(record.ledger.length)} posted` } : SAYS.nothing,
      final: posted,
      at: record.at,
      atNote: "read now",
    },
  };
}

function lean(sources: readonly Source[]): Pick<EvidenceView, "leans" | "sentence"> {
  const count = (word: Word): number => sources.filter((source) => source.word === word).length;
  const [good, bad, open, other] = [count("succeeded"), count("failed"), count("processing"), count("contradiction")];
  if (other > 0 || (good > 0 && bad > 0)) {
    return {
      leans: "contradiction",
      sentence: "The sources contradict each other. Only the provider's own records settle this.",
    };
  }
  if (good === 0 && bad === 0) {
    return {
      leans: "nothing",
      sentence:
        open > 0
          ? `Leans to nothing yet. ${capital(few(open))} ${open === 1 ? "source is" : "sources are"} not final.`
          : "Leans to nothing yet. No source says anything final.",
    };
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
