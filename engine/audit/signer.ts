import type { SigningKey } from "./signing-key";

// Next bundles this file more than once: a process signs with one key all the same.
const holder = globalThis as { onceboardAuditKey?: SigningKey | undefined };

/** Says which key the process signs its entries of the audit with; undefined: it signs none. */
export function useAuditKey(key: SigningKey | undefined): void {
  holder.onceboardAuditKey = key;
}

export function auditKey(): SigningKey | undefined {
  return holder.onceboardAuditKey;
}
