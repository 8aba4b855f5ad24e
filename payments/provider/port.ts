import type { ProviderContradiction, ProviderFacts, ProviderResult } from "@/engine/index";
import type { ProviderName } from "./capabilities";

export type ProviderEffect = "charge" | "refund" | "void";

/**
 * What the engine needs from a payment provider, and nothing more (docs/PROVIDERS.md). An adapter never throws for trouble
 * on the way: it says whether the provider surely did nothing (`no_effect`) or may have acted (`indefinite`).
 */
export interface PaymentProvider extends ProviderFacts {
  readonly name: ProviderName;
  /** Whether what it does costs somebody something: the console's badge says "Production" for nothing else. */
  readonly movesRealMoney: boolean;
  charge(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  refund(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  void(request: ProviderRequest, options: ProviderOptions): Promise<ProviderResult>;
  lookUp(question: ProviderQuestion, options: ProviderOptions): Promise<ProviderLookUp>;
  /** Lets go of kept connections. */
  close(): void;
}

export interface ProviderRequest {
  /** Stable per side effect, e.g. `provider_payment_<id>` . */
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

/** What the provider made of a request. */
export interface FoundObject {
  readonly status: "succeeded" | "declined" | "processing";
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly declineCode?: string;
}

export type ProviderLookUp =
  | ({ readonly kind: "found" } & FoundObject)
  /** As certain as it gets: everything the provider may have made of it was read, and it is not there. */
  | { readonly kind: "absent" }
  | ProviderContradiction
  | { readonly kind: "unreachable"; readonly reason: string };
