import { createHash } from "node:crypto";
import { journal, type CallResult, type JournalEntry } from "./oracles/recorder";
import { NO_RESULT } from "./call-result";
import type { Wish } from "./child/protocol";
import { unlessLost, type CrashChild } from "./children";
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
  /** Of its last call. */
  result: CallResult | undefined;
  /** One word for each of its results, for whoever follows a run. */
  readonly heard?: string[];
}

const LOST: CallResult = { ...NO_RESULT, outcome: "lost" };
/** Names of the operations as the engine has them. */
const ENGINE_NAMES = {
  payment: "payments.create",
  refund: "refunds.create",
  void: "payments.void",
  account: "accounts.create",
} as const;
const FINAL = new Set(["executed", "replayed", "conflict", "purged"]);

/** A caller that retries under a name of its own. */
export function newCaller(wish: Wish, name = wish.key, intent = wish.key): CrashCaller {
  return { name, intent, wish, retries: true, result: undefined };
}

/** @returns true when this caller has no reason to ask again */
export function knows(caller: CrashCaller): boolean {
  return caller.result !== undefined && FINAL.has(caller.result.outcome);
}

/** Asks once and records the answer, also when there was none. */
export async function ask(
  place: CrashEnvironment,
  tenant: string,
  child: CrashChild,
  caller: CrashCaller,
  phase: JournalEntry["phase"],
): Promise<CallResult> {
  const sentAt = new Date();
  const done = await child.ask({ do: "call", tenant, wish: caller.wish }).catch(unlessLost);
  return keep(place, tenant, caller, { phase, sentAt, result: done?.result ?? LOST });
}

/** As {@link ask}, for several callers at the same moment. */
export async function askTogether(
  place: CrashEnvironment,
  tenant: string,
  child: CrashChild,
  callers: readonly CrashCaller[],
  phase: JournalEntry["phase"],
): Promise<void> {
  const sentAt = new Date();
  const done = await child.ask({ do: "calls", tenant, wishes: callers.map(({ wish }) => wish) }).catch(unlessLost);
  for (const [index, caller] of callers.entries())
    await keep(place, tenant, caller, { phase, sentAt, result: done?.results?.[index] ?? LOST });
}

async function keep(
  place: CrashEnvironment,
  tenant: string,
  caller: CrashCaller,
  call: { readonly phase: JournalEntry["phase"]; readonly sentAt: Date; readonly result: CallResult },
): Promise<CallResult> {
  const { phase, sentAt, result } = call;
  caller.result = result;
  caller.heard?.push([result.outcome, result.code, result.certainty].filter(Boolean).join(" "));
  await recordCall(place, tenant, caller, phase, sentAt, result);
  return result;
}

export async function recordCall(
  place: CrashEnvironment,
  tenantId: string,
  caller: CrashCaller,
  phase: JournalEntry["phase"],
  sentAt: Date,
  result: CallResult,
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
    ...result,
  });
}
