/**
 * What the engine needs from a payment provider, and nothing more. An adapter never throws for trouble on the way:
 * it says whether the provider surely did nothing (`no_effect`) or may have acted (`indefinite`), S4.18.
 */
export interface PaymentProvider {
  readonly name: string;
  /** The provider answers a repeated key with the first object, so the same key may be sent again. */
  readonly dedupes: boolean;
  /** The provider can be asked by our key; without it an unknown outcome needs a person (S1.8). */
  readonly queryable: boolean;
  charge(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  refund(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  void(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  lookUp(providerKey: string, options: ProviderOptions): Promise<ProviderLookUp>;
}

export interface ProviderRequest {
  /** Stable per side effect, e.g. `provider_payment_<id>` (S4.5). */
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

export interface ProviderOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole exchange, body included. */
  readonly timeoutMs: number;
}

export type ProviderResult =
  | { readonly kind: "succeeded"; readonly reference: string; /** RFC 3339 */ readonly at: string }
  | { readonly kind: "declined"; readonly reference: string; readonly code: string }
  | { readonly kind: "processing"; readonly reference: string }
  | ProviderNoEffect
  | { readonly kind: "indefinite"; readonly reason: string };

export interface ProviderNoEffect {
  readonly kind: "no_effect";
  readonly reason: string;
  readonly code: "unavailable" | "rate_limited" | "refused";
  /** Seconds. */
  readonly retryAfter?: number;
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
  | { readonly kind: "absent" }
  | { readonly kind: "unreachable"; readonly reason: string };
