import { createHash } from "node:crypto";
import { journal, type JournalEntry } from "@/db/checks/oracles/recorder";
import { NO_RESULT, type CallResult, type Wish } from "./child/protocol";
import { LostError, type CrashChild } from "./children";
import type { CrashEnvironment } from "./environment";

/** Someone who wants one thing, and asks for it under one key. */
export interface CrashCaller {
  /** In the journal; to the engine all of them are one client, as processes of one shop are. */
  readonly name: string;
  /** The same for everyone who wants the same thing. */
  readonly intent: string;
  readonly wish: Wish;
  /** Asks until it knows. */
  readonly retries: boolean;
  /** What it was told last. */
  result: CallResult | undefined;
  /** What it was told, one word each time, for who follows a run. */
  readonly heard?: string[];
}

/** The claim belongs to one client, whichever of its processes asks. */
export const PRINCIPAL = "till";
const LOST: CallResult = { ...NO_RESULT, outcome: "lost" };
/** Names of the operations as the engine has them. */
const ENGINE_NAMES = {
  payment: "payments.create",
  refund: "refunds.create",
  void: "payments.void",
  account: "accounts.create",
} as const;
const FINAL = new Set(["executed", "replayed", "conflict", "purged"]);

/** @returns true when this caller has no reason to ask again */
export function knows(caller: CrashCaller): boolean {
  return caller.result !== undefined && FINAL.has(caller.result.outcome);
}

/** Asks once and writes down what was told, also when it was nothing. */
export async function ask(
  place: CrashEnvironment,
  tenant: string,
  child: CrashChild,
  caller: CrashCaller,
  phase: JournalEntry["phase"],
): Promise<CallResult> {
  const sentAt = new Date();
  let told: CallResult;
  try {
    told = (await child.ask({ do: "call", tenant, client: PRINCIPAL, wish: caller.wish })).result ?? LOST;
  } catch (error) {
    if (!(error instanceof LostError)) throw error;
    told = LOST;
  }
  caller.result = told;
  caller.heard?.push([told.outcome, told.code, told.certainty].filter(Boolean).join(" "));
  await recordCall(place, tenant, caller, phase, sentAt, told);
  return told;
}

export async function recordCall(
  place: CrashEnvironment,
  tenantId: string,
  caller: CrashCaller,
  phase: JournalEntry["phase"],
  sentAt: Date,
  told: CallResult,
): Promise<void> {
  const { name, intent, wish, retries } = caller;
  const amount = wish.fields["amountMinor"];
  await journal(place.db.pool, {
    tenantId,
    client: name,
    intent,
    operation: ENGINE_NAMES[wish.operation],
    key: wish.key,
    requestHash: createHash("sha256").update(JSON.stringify(wish.fields)).digest("hex"),
    amountMinor: amount === undefined ? undefined : BigInt(amount),
    phase,
    retries,
    sentAt,
    outcome: told.outcome,
    status: told.status,
    code: told.code,
    certainty: told.certainty,
    retryable: told.retryable,
    bodyHash: told.bodyHash,
    resourceType: told.resourceType,
    resourceId: told.resourceId,
    operationId: told.operationId,
  });
}
