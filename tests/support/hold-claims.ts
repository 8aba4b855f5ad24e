import { expect } from "vitest";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import { listAttention } from "@/console/read/operations/list-attention";
import { listOperations } from "@/console/read/operations/list-operations";
import { readConflict } from "@/console/read/operations/read-conflict";
import { readOperation } from "@/console/read/operations/read-operation";
import { engineContext, type EngineContext } from "@/engine/context";
import { createKindSource } from "@/engine/kinds";
import { can } from "@/domain/access/permission";
import { FIRST } from "@/presentation/conflict/conflict-verdict";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import { formatDuration } from "@/presentation/format/display-time";
import { holding, type PageClaim } from "@/domain/page-claim";
import {
  ASKED_FACTS,
  DOUBT_FACTS,
  DUPLICATE_FACTS,
  INBOX_FACTS,
  KEY_FACTS,
  LEDGER_FACTS,
  OPERATION_FACTS,
  OUTBOX_FACTS,
  PROVIDER_FACTS,
} from "@/presentation/operation/chain-claims";
import { OPERATION_CLAIMS } from "@/presentation/operation/operation-claims";
import { operationCase } from "@/presentation/operation/operation-case";
import { kindsCrossing, sampleKind } from "./payment-kinds";
import { RETRY_CLAIMS, retriesText } from "@/presentation/operation/retries-text";
import type { OperationDetail } from "@/presentation/views/operations";
import { claimsByRows, type OracleClaim } from "./claim-oracle";
import type { TestEnvironment } from "./environment";
import { type History, live, type Lived } from "./histories";

const signer = createProofSigner("a secret of this test, long enough to be one");

/** Lives a history and holds every sentence about its operation against the rows. @throws AssertionError for the first that is not so */
export async function holdClaims(env: TestEnvironment, history: History): Promise<void> {
  const lived = await live(env, history);
  const ctx = reader(env, lived.tenant, history.role);
  const detail = await readOperation(ctx, { operationId: lived.operationId });
  if (detail === undefined) throw new Error("no such operation");
  const rows = await claimsByRows(env, lived.tenant, lived.operationId, detail.at);
  const said = [
    ...saidOf(detail, history),
    ...(await saidInProof(ctx, lived, rows)),
    ...(await saidElsewhere(ctx, detail, history)),
  ];
  expect(withoutWords(said)).toEqual(withoutWords(rows.filter((claim) => isHeld(claim, said, detail))));
  for (const { about, name, words = "" } of said) {
    const numbers = rows.find((claim) => claim.about === about && claim.name === name)?.numbers;
    const found = about === "evidence" ? sourcesIn(words) : numbersIn(words);
    if (numbers) expect(found, `${about}: ${words}`).toEqual([...numbers].sort((a, b) => a - b));
  }
  holdDurations(detail);
  holdHints(detail, history, rows);
}

function reader(env: TestEnvironment, tenant: string, role: History["role"]): EngineContext {
  const actor = { kind: "operator", id: "op-1", name: "Vera Lindqvist", role } as const;
  // Kinds are remembered for seconds, and each history registered its own.
  const base = { ...env.context({ tenant }), kinds: createKindSource(env.db, []) };
  return engineContext(base, { tenantId: tenant, actor, requestId: "req-read" });
}

/** A sentence that stands somewhere; without words where only its being there counts. */
interface Said {
  readonly about: OracleClaim["about"];
  readonly name: string;
  readonly words?: string | undefined;
}

const withoutWords = (claims: readonly Said[]): string[] => claims.map(({ about, name }) => `${about}: ${name}`).sort();

const NUMBER_WORDS: Readonly<Record<string, number>> = { once: 1, twice: 2 };
function numbersIn(words: string): number[] {
  const found = words.match(/\b(\d[\d,]*|once|twice)\b/g) ?? [];
  return found.map((word) => NUMBER_WORDS[word] ?? Number(word.replaceAll(",", ""))).sort((a, b) => a - b);
}

const FEW: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3 };
/** How many sources a sentence about evidence counts. */
const sourcesIn = (words: string): number[] =>
  (words.match(/\b(one|two|three|\d+)\b/gi) ?? []).map((word) => FEW[word.toLowerCase()] ?? Number(word)).sort();

const caseOf = (detail: OperationDetail, { provider }: History) =>
  operationCase({
    ...detail,
    about: kindsCrossing(provider).find(({ name }) => name === detail.operation) ?? sampleKind(detail.operation),
  });

/** The claims of one page, each checked to be what the page really shows. */
function saidOf(detail: OperationDetail, history: History): Said[] {
  const it = caseOf(detail, history);
  const verdict = holding(OPERATION_CLAIMS, it).map(
    ({ name, words }) => ({ about: "verdict", name, words: words(it) }) as const,
  );
  expect(detail.verdict.text).toBe(verdict.map(({ words }) => words).join(" "));
  const [key, operation, provider, outbox, inbox, ledger] = detail.chain.stations;
  const first = (
    about: Said["about"],
    claims: readonly PageClaim<typeof it>[],
    shown: readonly string[] = [],
  ): Said[] => {
    const claim = holding(claims, it)[0];
    if (claim === undefined || shown.length === 0) return [];
    const words = claim.words(it);
    expect(shown.join(" "), about).toMatch(words.slice(0, shown.join(" ").length));
    return [{ about, name: claim.name, words }];
  };
  const gap = detail.chain.gap?.tone === "doubt" ? detail.chain.gap.facts : [];
  const entries = detail.ledger.length;
  expect(ledger?.presence === undefined, "a ledger mark").toBe(entries > 0);
  return [
    ...verdict,
    ...first("key", KEY_FACTS, key?.facts),
    ...first("operation", OPERATION_FACTS, operation?.facts),
    ...first("asked", ASKED_FACTS, provider?.facts.slice(1)),
    ...first("duplicates", DUPLICATE_FACTS, inbox?.facts.slice(1)),
    ...first("ledger", LEDGER_FACTS, ledger?.presence === undefined ? ledger?.facts : []),
    ...first("provider", PROVIDER_FACTS, provider?.facts),
    ...first("gap", DOUBT_FACTS, gap),
    ...first("outbox", OUTBOX_FACTS, outbox?.presence === undefined ? outbox?.facts : []),
    ...first("inbox", INBOX_FACTS, inbox?.presence === undefined ? inbox?.facts : []),
    ...retries(detail),
    ...evidence(detail),
  ];
}

const LEANS = {
  succeeded: "leans_to_succeeded",
  failed: "leans_to_failed",
  nothing: "leans_to_nothing",
  contradiction: "sources_contradict",
} as const;
function evidence({ evidence: shown }: OperationDetail): Said[] {
  return shown === undefined ? [] : [{ about: "evidence", name: LEANS[shown.leans], words: shown.sentence }];
}

function retries(detail: OperationDetail): Said[] {
  const name = holding(RETRY_CLAIMS, detail)[0]?.name;
  return name === undefined ? [] : [{ about: "retries", name, words: retriesText(detail)?.split(",")[0] }];
}

const PROOF_WORDS: readonly (readonly [name: string, words: RegExp])[] = [
  [
    "happened_once",
    /^(Money moved once|The account was opened once|Money was given back once|The payment was voided once|It ran once)\./,
  ],
  [
    "nothing_happened",
    /^(No money moved|No account was opened|No money was given back|Nothing was voided|It did not run)\./,
  ],
  [
    "settled_by_hand",
    /Settled by hand as (succeeded|failed) on this evidence: bank statement; the provider (has not confirmed it|says it (failed|succeeded))\./,
  ],
  ["hand_confirmed", /Settled by hand; the provider confirmed it (in its answer|by a look-up|by a signed webhook)\./],
  ["not_settled", /^Not settled yet\. /],
  ["key_given_on", /Its key was given to a later operation\./],
  ["may_run_again", /Not settled yet: the same key may run again, as often as its policy lets it\./],
];
const COUNTED = ["requests", "provider calls", "events", "executions", "settlements by hand"] as const;

async function saidInProof(ctx: EngineContext, { operationId }: Lived, rows: readonly OracleClaim[]): Promise<Said[]> {
  const view = await readProof(ctx, { operationId, signer, deployment: "https://pay.example.com" });
  if (view === undefined) throw new Error("no proof");
  const { proof } = view;
  const counts = view.verdict.clauses.at(-1)?.text ?? "";
  const counted = COUNTED.flatMap((name): Said[] => {
    const words = new RegExp(`(\\d+) ${name.replace("s by hand", "s? by hand").replace(/s$/, "s?")}\\b`).exec(
      counts,
    )?.[0];
    return words === undefined ? [] : [{ about: "proof", name, words }];
  });
  const against = proof.claims.some(({ name, status }) => name === "provider_never_contradicts" && status === "fails");
  const unconfirmed = rows.some(({ about, name }) => about === "verdict" && name === "settled_by_hand");
  if (unconfirmed) expect(proof.verdict).not.toBe("proven");
  return [
    ...PROOF_WORDS.flatMap(([name, words]): Said[] =>
      words.test(proof.sentence) ? [{ about: "proof", name, words: undefined }] : [],
    ),
    ...(against ? [{ about: "proof", name: "contradiction" } as const] : []),
    ...(proof.verdict === "broken" ? [{ about: "proof", name: "failed" } as const] : []),
    ...counted,
  ];
}

/** What a list and the page of a conflict say of the same operation. */
async function saidElsewhere(ctx: EngineContext, detail: OperationDetail, history: History): Promise<Said[]> {
  const list = await listOperations(ctx, { filters: parseOperationFilters({ key: detail.key }).filters });
  const mini = list.kind === "page" ? list.rows[0]?.chain[2] : undefined;
  const sent = detail.provider.some(({ kind, state }) => kind !== "lookup" && state !== "prepared");
  const known = await knownOf(ctx, detail);
  const marks = ["done", "unconfirmed", "refused"];
  const listed: Said[] = mini !== undefined && sent && marks.includes(mini) ? [{ about: "mini", name: mini }] : [];
  const conflict = detail.requests.find(({ outcome }) => outcome === "conflict")?.eventId;
  if (conflict === undefined) return [...known, ...listed];
  const view = await readConflict(ctx, { eventId: conflict });
  const it = caseOf(detail, history);
  const first = holding(FIRST, it).map(({ name, words }) => ({ about: "first", name, words: words(it) }) as const);
  for (const { words } of first) expect(view?.verdict.text).toContain(words);
  return [...known, ...listed, ...first];
}

const KNOWN_WORDS: readonly (readonly [name: string, words: RegExp])[] = [
  ["unsent", /^Nothing was sent\. Recovery ends it without effect\.$/],
  ["unsent_elsewhere", /^Nothing was sent\. Its own service settles it\.$/],
  ["not_sent_again", /^It cannot be asked, and was not sent again yet\./],
  ["sent_again", /^It cannot be asked\. Tried again under its key (once|twice|\d+ times): /],
  ["only_a_person", /^The provider can neither be asked nor sent the same key again/],
  ["not_asked", /^Not asked yet\./],
  ["asked", /^Look-up says .*, asked (once|twice|\d+ times)\./],
  ["kept_waiting", /^Kept waiting by a person, /],
  ["no_webhook", /No webhook\.$/],
  ["webhook_succeeded", /A signed webhook says succeeded\.$/],
  ["webhook_failed", /A signed webhook says failed\.$/],
  ["webhook_processing", /A signed webhook says processing\.$/],
];

/** The line of the attention queue, where the operation is in it. */
async function knownOf(ctx: EngineContext, { operationId }: OperationDetail): Promise<Said[]> {
  const { list } = await listAttention(ctx, {});
  const known = list.kind === "page" ? list.rows.find((row) => row.operationId === operationId)?.known : undefined;
  return KNOWN_WORDS.flatMap(([name, words]): Said[] => (words.test(known ?? "") ? [{ about: "known", name }] : []));
}

/** A failure outranks the rest of a proof's sentence; a conflict's page is there only with a conflict. */
function isHeld({ about, name }: OracleClaim, said: readonly Said[], detail: OperationDetail): boolean {
  if (about === "first") return detail.requests.some(({ outcome }) => outcome === "conflict");
  const broken = said.some((claim) => claim.about === "proof" && claim.name === "failed");
  const head = ["happened_once", "nothing_happened", "not_settled", "may_run_again"];
  return !(about === "proof" && broken && head.includes(name));
}

/** A way that happened lasts from the time at its one end to the time at the other. */
function holdDurations({ chain, at }: OperationDetail): void {
  const marks = chain.stations.filter(({ presence }) => presence !== "absent");
  for (const [index, { name, time, way }] of marks.entries()) {
    if (way?.duration === undefined) continue;
    const end = way.kind === "doubt" ? at.slice(11, 23) : marks[index + 1]?.time;
    expect(way.duration, `from ${name}`).toBe(formatDuration(clockMs(end) - clockMs(time)));
  }
}

/** Of one day; a run over midnight adds a day. */
function clockMs(clock: string | undefined): number {
  return Date.parse(`2026-11-19T${clock ?? "none"}Z`);
}

/** What may be done: by the role, and by the rows. */
function holdHints(detail: OperationDetail, { role, begins, provider }: History, rows: readonly OracleClaim[]): void {
  const has = (about: OracleClaim["about"], ...names: readonly string[]): boolean =>
    rows.some((claim) => claim.about === about && names.includes(claim.name));
  const actions = new Map(detail.actions.map((action) => [action.action, action]));
  const doubt = has("verdict", "outcome_unknown", "owner_silent");
  const leased = detail.lockedUntil !== undefined && detail.lockedUntil > detail.at;
  const sent = has("verdict", "sent_once", "sent_often");
  const queryable = provider === "sandbox" || provider === "sandbox-query-only";
  const account = begins === "account" || begins === "taken_account";
  const ours = !begins.startsWith("other_");
  const offered = {
    reconcile: can(role, "operations.reconcile") && ours && doubt && !leased && queryable && !account,
    keep_waiting: can(role, "operations.resolve") && ours && doubt && !leased && sent,
    release: can(role, "operations.release") && ours && doubt && !leased && !sent && detail.state === "STALE",
    reveal_bodies: can(role, "bodies.reveal") && detail.bodyPurgedAt === undefined,
    send_again: false,
  };
  for (const [action, allowed] of Object.entries(offered))
    expect([action, actions.get(action as keyof typeof offered)?.allowed]).toEqual([action, allowed]);
  for (const { allowed, whyNot } of detail.actions) expect(allowed).toBe(whyNot === undefined);
  const refusal = (action: "resolve_failed" | "resolve_succeeded", words: RegExp): boolean =>
    words.test(actions.get(action)?.whyNot ?? "");
  const said = (says: string): boolean => detail.webhooks.some((hook) => hook.says === says);
  if (refusal("resolve_failed", /webhook/)) expect(said("succeeded")).toBe(true);
  if (refusal("resolve_succeeded", /webhook/)) expect(said("failed")).toBe(true);
  if (offered.keep_waiting && has("gap", "not_booked"))
    expect([actions.get("resolve_failed")?.allowed, actions.get("resolve_succeeded")?.allowed]).toContain(false);
}
