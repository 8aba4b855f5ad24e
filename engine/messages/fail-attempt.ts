import { newId } from "@/domain/new-id";
import { failMessage, type HeldMessage } from "@/db/messages/end-attempt";
import { attemptDelayMs, SIDES, type MessageSide } from "@/domain/messages/side";
import type { EngineContext } from "../context";
import { describeError } from "../telemetry/describe-error";

/** An attempt of a message that did not work. */
export interface AttemptFailure {
  /** Topic or consumer. */
  readonly place: string;
  readonly error: unknown;
  /** Of an error that has no code of its own. */
  readonly fallbackCode: string;
  /** No further attempt could work: the message is dead at once. */
  readonly final?: boolean;
  /** For the jitter, 0 ≤ random < 1. */
  readonly random: () => number;
}

/** Records it, with a later next attempt or as the last one. @returns what the message is now, and the code that was kept */
export async function failAttempt(
  ctx: EngineContext,
  side: MessageSide,
  message: HeldMessage & { readonly attempts_started: number },
  { place, error, fallbackCode, final = false, random }: AttemptFailure,
): Promise<{ readonly fate: "failed" | "dead" | "fenced"; readonly code: string }> {
  const { code, text, fingerprint } = describeError(place, error, fallbackCode);
  const { maxAttempts } = SIDES[side];
  const fate = await failMessage(ctx.db.pool, side, {
    tenantId: ctx.tenantId,
    id: message.id,
    fence: message.fence,
    errorCode: code,
    error: text,
    errorFingerprint: fingerprint,
    delayMs: final ? 0 : attemptDelayMs(side, place, message.attempts_started, random()),
    maxAttempts: final ? 0 : maxAttempts,
    attemptId: newId(),
  });
  return { fate, code };
}
