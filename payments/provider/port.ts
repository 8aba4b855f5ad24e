import type { ProviderFacts, ProviderName } from "@/domain/idempotency/provider-capabilities";

export type ProviderEffect = "charge" | "refund" | "void";

/**
 * What the engine needs from a payment provider, and nothing more (docs/PROVIDERS.md). An adapter never throws for trouble
 * on the way: it says whether the provider surely did nothing (`no_effect`) or may have acted (`indefinite`).
 */
export interface PaymentProvider extends ProviderFacts<ProviderName> {
  charge(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  refund(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  void(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  lookUp(question: ProviderQuestion, options: ProviderOptions): Promise<ProviderLookUp>;
  /** Lets go of kept connections. */
  close(): void;
}

export interface ProviderRequest {
  /** Stable per side effect, e.g. `provider_payment_<id>`. */
  readonly providerKey: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly accountId: string;
  readonly reference?: string;
  /** The provider's reference of the charge that is refunded or voided. */
  readonly chargeReference?: string;
  /** `tenant` is used to route the provider's webhooks back. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What is asked after a lost answer; most providers need no more of it than the provider key. */
export interface ProviderQuestion {
  readonly effect: ProviderEffect;
  /** The request as it was sent. */
  readonly request: ProviderRequest;
  /** Nothing was sent before this moment. */
  readonly since: Date;
}

export interface ProviderOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for everything that is exchanged, bodies included; less than the lease. */
  readonly timeoutMs: number;
}

export type ProviderResult =
  | { readonly kind: "succeeded"; readonly reference: string; /** RFC 3339 */ readonly at: string }
  | { readonly kind: "declined"; readonly reference: string; readonly code: string }
  | { readonly kind: "processing"; readonly reference: string }
  | ProviderNoEffect
  | ProviderContradiction
  | { readonly kind: "indefinite"; readonly reason: string };

export interface ProviderNoEffect {
  readonly kind: "no_effect";
  readonly reason: string;
  readonly code: "unavailable" | "rate_limited" | "refused";
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The provider has something else under our key than what was asked for: no machine settles that, and nothing is freed. */
export interface ProviderContradiction {
  readonly kind: "contradicting";
  readonly reference: string | undefined;
  readonly reason: string;
}

export type ProviderLookUp =
  | {
      readonly kind: "found";
      readonly status: "succeeded" | "declined" | "processing";
      readonly reference: string;
      readonly amountMinor: bigint;
      readonly currency: string;
      readonly declineCode?: string;
    }
  /** As certain as it gets: everything the provider may have made of it was read, and it is not there. */
  | { readonly kind: "absent" }
  | ProviderContradiction
  | { readonly kind: "unreachable"; readonly reason: string };
