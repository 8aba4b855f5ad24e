import { randomBytes } from "node:crypto";
import { NO_STRIPE_FAULTS, type StripeFaultKind, type StripeFaults } from "./faults";
import type { Reply } from "../pretend-server";

export interface Intent {
  readonly id: string;
  readonly amount: number;
  /** Lower case, as on the wire. */
  readonly currency: string;
  readonly status: "succeeded" | "processing" | "requires_payment_method" | "canceled";
  /** Seconds since 1970, by the sandbox's clock. */
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentMethod: string;
  readonly declineCode: string | undefined;
  /** When it was last changed, ms: search shows it `search_lag_ms` later. */
  readonly changedMs: number;
}

export interface StripeRefund {
  readonly id: string;
  readonly intentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: "succeeded" | "pending" | "failed";
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** All that this provider knows; gone with the process, as with any sandbox that is reset. */
export interface State {
  readonly intents: Map<string, Intent>;
  readonly refunds: Map<string, StripeRefund>;
  readonly keys: Map<string, KeptAnswer>;
  /** Requests per idempotency key, also those that never had an effect. */
  readonly requests: Map<string, number>;
  faults: StripeFaults;
  /** Its clock is ahead of the machine's by this. */
  aheadMs: number;
  nowMs(): number;
  /** Whether this request is hit; uses one of the count up. */
  draws(kind: StripeFaultKind): boolean;
  clear(): void;
}

export function createState(): State {
  const state: State = {
    intents: new Map(),
    refunds: new Map(),
    keys: new Map(),
    requests: new Map(),
    faults: NO_STRIPE_FAULTS,
    aheadMs: 0,
    nowMs: () => Date.now() + state.aheadMs,
    draws: (kind) => {
      const left = state.faults[kind];
      if (left <= 0) return false;
      state.faults = { ...state.faults, [kind]: left - 1 };
      return true;
    },
    clear: () => {
      for (const map of [state.intents, state.refunds, state.keys, state.requests]) map.clear();
      state.faults = NO_STRIPE_FAULTS;
      state.aheadMs = 0;
    },
  };
  return state;
}

/** @param prefix `pi_`, `re_` … */
export function newStripeId(prefix: string): string {
  return prefix + randomBytes(12).toString("hex");
}

/** What stands for a key: the answer of its first request, once that was executed. */
export interface KeptAnswer {
  readonly endpoint: string;
  /** The form as it came, sorted. */
  readonly params: string;
  readonly atMs: number;
  /** Undefined while the first request is being executed. */
  readonly reply: Reply | undefined;
}
