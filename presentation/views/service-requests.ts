import type { OperationState } from "@/domain/idempotency/states";
import type { OperatorAction } from "@/domain/operation-kind";

/** What an operator asked the service of an operation to do, and what became of it. */
export interface ServiceRequestRow {
  readonly id: string;
  readonly service: string;
  readonly action: OperatorAction;
  /** Of a resolve: what the person decided. */
  readonly outcome?: "succeeded" | "failed" | undefined;
  readonly providerReference?: string | undefined;
  readonly evidence: readonly string[];
  readonly reason?: string | undefined;
  readonly person: string;
  readonly askedAt: string;
  /** The instance of the service that took it last. */
  readonly takenBy?: string | undefined;
  readonly takenAt?: string | undefined;
  /** It holds the lease now. */
  readonly inHand: boolean;
  readonly endedAt?: string | undefined;
  readonly ended?: "settled" | "overtaken" | "withdrawn" | undefined;
  /** State of the operation at its end. */
  readonly result?: OperationState | undefined;
  readonly finding?: string | undefined;
  readonly withdrawnBy?: string | undefined;
  /** "billing-1 has it in hand." */
  readonly words: string;
}
