import { AppError } from "@/domain/errors";
import type { ProviderReply } from "@/engine/execute/operation";
import type { ProviderLookUp } from "./port";

/** What a look-up found; another amount or currency than ours is a contradiction that no machine settles. */
export function foundOutcome(
  found: ProviderLookUp,
  expected: { readonly amountMinor: bigint; readonly currency: string },
): ProviderReply {
  if (found.kind !== "found") return found;
  if (found.amountMinor !== expected.amountMinor || found.currency !== expected.currency) {
    return { kind: "contradicting", reference: found.reference, reason: "the provider has another amount or currency" };
  }
  switch (found.status) {
    case "succeeded":
      return { kind: "succeeded", reference: found.reference };
    case "declined":
      return { kind: "declined", reference: found.reference, code: found.declineCode ?? "declined" };
    case "processing":
      return { kind: "processing", reference: found.reference };
  }
}

/** @returns the refusal that a declined effect is answered with. */
export function declinedError(code: string): AppError {
  return code === "insufficient_funds"
    ? new AppError("payment.insufficient_funds", 402, "The account has insufficient funds")
    : new AppError("payment.declined", 402, "The provider declined", { extensions: { declineCode: code } });
}
