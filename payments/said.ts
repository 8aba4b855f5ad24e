import { AppError } from "@/domain/errors";
import type { ProviderSaid } from "@/engine/execute/operation";
import type { ProviderLookUp, ProviderNoEffect, ProviderResult } from "./provider/port";

/** What a call said, in the engine's words. */
export function saidByCall(result: ProviderResult): ProviderSaid {
  switch (result.kind) {
    case "succeeded":
      return { kind: "succeeded", reference: result.reference };
    case "declined":
      return { kind: "declined", reference: result.reference, code: result.code };
    case "processing":
      return { kind: "processing", reference: result.reference };
    case "no_effect":
      return { kind: "no_effect", reason: result.reason, error: notTaken(result) };
    case "contradicting":
    case "indefinite":
      return result;
  }
}

/** The same key may run again, but only a provider that was away or busy may do better the next time. */
function notTaken({ code, retryAfter }: ProviderNoEffect): AppError {
  if (code === "refused") {
    return new AppError("dependency.refused", 502, "The payment provider does not accept this request", {
      detail: "Nothing took effect. A retry gets the same refusal until its cause is removed.",
    });
  }
  return new AppError("dependency.unavailable", 503, "The payment provider is not available", {
    detail: "The provider did not accept the request. Nothing took effect; retry with the same key.",
    retryable: true,
    retryAfter: retryAfter ?? 1,
  });
}

/** What a look-up said; another amount or currency than ours is a contradiction that no machine settles. */
export function saidByLookUp(
  found: ProviderLookUp,
  expected: { readonly amountMinor: bigint; readonly currency: string },
): ProviderSaid {
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

/** @returns what the caller is told about a declined effect. */
export function declined(code: string): AppError {
  return code === "insufficient_funds"
    ? new AppError("payment.insufficient_funds", 402, "The account has insufficient funds")
    : new AppError("payment.declined", 402, "The provider declined", { extensions: { declineCode: code } });
}
