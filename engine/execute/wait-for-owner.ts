import { setTimeout as delay } from "node:timers/promises";
import { timeLeftMs } from "@/db/deadline";
import type { OperationPolicy } from "@/domain/idempotency/policy";

/** Callers of one process that may wait at once; the next one gets at once that the key is in progress. */
export const MAX_WAITING_CALLERS = 512;
/** Pauses between two looks, in ms; the last one repeats. */
const PAUSES_MS = [20, 40, 80, 160, 250];
/** Kept of the caller's time for the look after the last pause. */
const LAST_LOOK_MS = 100;

let waiting = 0;

/** A bounded wait for the owner of a key, for operations whose policy is `wait`. No connection is held in it. */
export interface OwnerWait {
  /** Pauses. @returns false when the caller has waited long enough, or may not wait at all */
  again(): Promise<boolean>;
  end(): void;
}

/** @param request.receivedAt the wait ends `waitMs` after it, or with the caller's own deadline */
export function startWait(
  policy: Pick<OperationPolicy, "inFlight" | "waitMs">,
  request: { readonly receivedAt: number },
): OwnerWait {
  if (policy.inFlight !== "wait") return { again: () => Promise.resolve(false), end: () => undefined };
  const until = Math.min(request.receivedAt + policy.waitMs, performance.now() + timeLeftMs() - LAST_LOOK_MS);
  let looks = 0;
  let counted = false;
  return {
    async again() {
      if (!counted) {
        if (waiting >= MAX_WAITING_CALLERS) return false;
        waiting += 1;
        counted = true;
      }
      const left = until - performance.now();
      if (left <= 0) return false;
      await delay(Math.min(left, PAUSES_MS[Math.min(looks, PAUSES_MS.length - 1)] ?? left));
      looks += 1;
      return true;
    },
    end() {
      if (counted) waiting -= 1;
      counted = false;
    },
  };
}
