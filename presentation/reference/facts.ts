import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import type { ShownState } from "@/domain/lists/filters";
import type { Money } from "@/domain/money";

/** Rows under one order reference, as read: every sentence of its page is a statement about these. */
export interface ReferenceFacts {
  readonly at: string;
  readonly reference: string;
  /** Only this customer's keys were read. */
  readonly customer?: string | undefined;
  readonly payments: readonly MoneyKeyFacts[];
  readonly reversals: readonly MoneyKeyFacts[];
  /** Operations that move no money and carry the reference too, one per key. */
  readonly otherKinds: readonly string[];
  /** More rows carry it than were read. */
  readonly more: { readonly keys: boolean; readonly reversals: boolean };
}

/** One key that asked for money to move, with all that hangs on it. */
export interface MoneyKeyFacts {
  readonly kind: "payment" | "refund" | "void";
  readonly operationId: string;
  /** None: its key was deleted since, its payment is kept. */
  readonly key?: string | undefined;
  readonly state?: ShownState | undefined;
  readonly client?: string | undefined;
  readonly account?: string | undefined;
  readonly money?: Money | undefined;
  readonly errorCode?: string | undefined;
  /** The payment that it made, or that it gives back. */
  readonly paymentId?: string | undefined;
  /** Of its own row in our books. */
  readonly status?: string | undefined;
  readonly settledByHand?: "succeeded" | "failed" | undefined;
  /** What the provider of the newest call can do; undefined where nobody registered it. */
  readonly provider?: ProviderFacts | undefined;
  readonly calls: readonly CallFacts[];
  readonly webhooks: readonly WebhookFacts[];
  readonly ledger: readonly LedgerFacts[];
  readonly requests: readonly RequestFacts[];
  readonly moreRequests: boolean;
  readonly createdAt: string;
  readonly completedAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly lockedUntil?: string | undefined;
  readonly nextCheckAt?: string | undefined;
}

interface CallFacts {
  /** "charge", "refund", "void", "lookup". */
  readonly kind: string;
  readonly provider: string;
  readonly state: "prepared" | "sent" | "answered";
  readonly outcome?: string | undefined;
  readonly reference?: string | undefined;
  readonly at: string;
}

export interface WebhookFacts {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly state: string;
  readonly at: string;
  readonly says?: "succeeded" | "failed" | "processing" | undefined;
  /** It names another amount or currency than the key. */
  readonly otherMoney: boolean;
  readonly duplicates: number;
  readonly duplicatesAt: readonly string[];
}

export interface LedgerFacts extends Money {
  readonly id: string;
  readonly entryType: string;
  readonly postedAt: string;
}

export interface RequestFacts {
  readonly id: string;
  readonly at: string;
  readonly outcome: AnswerOutcome;
  readonly client?: string | undefined;
  readonly status?: number | undefined;
  /** Names, never values. */
  readonly differingFields: readonly string[];
}
