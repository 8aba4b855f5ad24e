import type { GlyphName, Tone } from "@/presentation/format/glyph";
import type { ClaimStatus, ProofRow, ProofVerdict } from "@/presentation/proof/proof-statement";

interface Face {
  readonly glyph: GlyphName;
  readonly tone: Tone;
  readonly word: string;
}

export const PROOF_VERDICT_FACES: Readonly<Record<ProofVerdict, Face>> = {
  proven: { glyph: "proven", tone: "proven", word: "Proven" },
  open: { glyph: "IN_PROGRESS", tone: "moving", word: "Open" },
  broken: { glyph: "dead", tone: "broken", word: "Broken" },
  partial: { glyph: "skipped", tone: "doubt", word: "Partial" },
};

/** With the verbs of a summary: "1 fails", "2 fail". */
interface ClaimFace extends Face {
  readonly one: string;
  readonly many: string;
}

export const CLAIM_FACES: Readonly<Record<ClaimStatus, ClaimFace>> = {
  holds: { ...PROOF_VERDICT_FACES.proven, word: "Holds", one: "holds", many: "hold" },
  open: { ...PROOF_VERDICT_FACES.open, one: "is open", many: "are open" },
  fails: { ...PROOF_VERDICT_FACES.broken, word: "Fails", one: "fails", many: "fail" },
  not_shown: { ...PROOF_VERDICT_FACES.partial, word: "Not shown", one: "cannot be shown", many: "cannot be shown" },
};

/** What needs a look stands first; within one status the order is that of the way from key to ledger. */
export const CLAIM_ORDER: readonly ClaimStatus[] = ["fails", "open", "not_shown", "holds"];

const TABLES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  idempotency_requests: ["key", "keys"],
  idempotency_bodies: ["kept answer", "kept answers"],
  idempotency_events: ["event record", "event records"],
  provider_requests: ["provider call", "provider calls"],
  effects: ["business row", "business rows"],
  outbox_messages: ["message out", "messages out"],
  inbox_messages: ["message in", "messages in"],
  entries: ["ledger entry", "ledger entries"],
  notifications: ["receipt", "receipts"],
};

/** "2 event records". */
export function tableWord(table: string, count: number): string {
  const [one, many] = TABLES[table] ?? [table, table];
  return count === 1 ? one : many;
}

const PAGES: Readonly<Record<string, string>> = {
  outbox_messages: "/outbox",
  inbox_messages: "/inbox",
  idempotency_requests: "/operations",
  idempotency_bodies: "/operations",
};

/** The page on which a row is shown; undefined where there is none. @param operationId whose proof this is @param claim its name */
export function pageOfRow({ table, id }: ProofRow, operationId: string, claim: string): string | undefined {
  if (table === "idempotency_events")
    return claim === "other_commands_never_ran" ? `/conflicts?open=${id}` : `/operations/${operationId}?open=events`;
  const page = PAGES[table];
  return page === undefined ? undefined : `${page}/${id}`;
}
