/** Decimal string, or an integer of minor units. */
export type AmountInput = string | number;

export interface PaymentInput {
  readonly accountId: string;
  readonly amount: AmountInput;
  /** ISO 4217. */
  readonly currency: string;
  /** The caller's own id of the act: a second payment with it is refused, also under another key. */
  readonly merchantReference?: string;
  readonly channel?: string;
}
export interface Payment {
  readonly paymentId: string;
  readonly status: string;
  readonly accountId: string;
  readonly amount: string;
  readonly currency: string;
  readonly merchantReference: string | null;
  readonly channel: string;
  readonly createdAt: string;
}

export interface RefundInput {
  readonly paymentId: string;
  readonly amount: AmountInput;
  readonly reason?: string;
}
export interface Refund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount: string;
  readonly status: string;
  readonly createdAt: string;
}

export interface AccountInput {
  readonly accountId: string;
  readonly currency: string;
  /** Where receipts go; none are sent without it. */
  readonly email?: string;
}
export interface Account {
  readonly accountId: string;
  readonly currency: string;
}

/** What became of an operation; never its stored answer, which the same key brings. */
export interface OperationStatus {
  readonly operationId: string;
  readonly operation: string;
  readonly state: string;
  readonly stage: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly expiresAt: string;
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly result: { readonly type: string; readonly id: string; readonly href: string | null } | null;
  /** What a retry with the same key would do now. */
  readonly retry: {
    readonly sameKey: "wait" | "refused" | "executes" | "replays";
    readonly afterSeconds: number | null;
  };
}
