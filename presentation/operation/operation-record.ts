import type { ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import { providerOfKind } from "@/domain/operation-kind";
import type { OperationRecord } from "../views/operations";

/** Whether it leaves this database: its kind says so, or, of a kind that nobody registered, its journal. */
export function callsProvider({ about, provider }: Pick<OperationRecord, "about" | "provider">): boolean {
  return about.path === "provider" || provider.length > 0;
}

/** @returns effect calls that left or may have left; look-ups are none. */
export function effectCalls(record: Pick<OperationRecord, "provider">): OperationRecord["provider"] {
  return record.provider.filter((call) => call.kind !== "lookup");
}

export function lookUps(record: Pick<OperationRecord, "provider">): OperationRecord["provider"] {
  return record.provider.filter((call) => call.kind === "lookup");
}

/** @returns what the provider of an operation can do; undefined when nothing was prepared for the one of its kind. */
export function recordProvider({
  about,
  provider,
}: Pick<OperationRecord, "about" | "provider">): ProviderFacts | undefined {
  return providerOfKind(about, provider.at(-1)?.provider);
}

/**
 * What the sources say about the attempt that is in doubt now. One before it whose decline did not bind had another provider
 * key: that decline is no word about this one. A success under whatever key is.
 */
export function aboutOpenAttempt({
  provider,
  webhooks,
}: Pick<OperationRecord, "provider" | "webhooks">): Pick<OperationRecord, "provider" | "webhooks"> {
  const key = provider.at(-1)?.providerKey;
  if (key === undefined) return { provider, webhooks };
  return {
    provider: provider.filter((call) => call.providerKey === key || call.outcome === "succeeded"),
    webhooks: webhooks.filter((hook) => hook.providerKey === key || hook.says === "succeeded"),
  };
}

/** Different objects that the provider says it made, in answers and look-ups: one that is not named counts by our key of it. */
export function objectsMade(
  calls: readonly {
    readonly outcome?: string | undefined;
    readonly reference?: string | undefined;
    readonly providerKey: string;
  }[],
): number {
  const made = calls.filter(({ outcome }) => outcome === "succeeded");
  const named = made.filter(({ reference }) => reference !== undefined);
  const keys = new Set(named.map(({ providerKey }) => providerKey));
  const unnamed = made.filter(({ providerKey }) => !keys.has(providerKey));
  return (
    new Set(named.map(({ reference }) => reference)).size + new Set(unnamed.map(({ providerKey }) => providerKey)).size
  );
}
