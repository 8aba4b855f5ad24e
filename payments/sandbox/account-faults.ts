import { NO_SANDBOX_FAULTS, type SandboxFaults } from "./faults";

/** Accounts with faults of their own, and keys whose account is remembered: a pretend provider does not grow for ever. */
const MAX_ACCOUNTS = 1_000;
const MAX_KEYS = 10_000;

/** Faults that meet one account only, so that a scene can be played beside traffic with troubles of its own. */
export interface AccountFaults {
  /** Of this account, or of everybody. */
  of(accountId: string | undefined): SandboxFaults;
  /** @returns false when there are too many accounts with faults of their own */
  set(accountId: string, faults: SandboxFaults): boolean;
  /** Whose key it is: a look-up names the key alone. */
  remember(providerKey: string, accountId: string): void;
  accountOf(providerKey: string): string | undefined;
  clear(): void;
}

/** @param everybody the faults of accounts that have none of their own */
export function createAccountFaults(everybody: () => SandboxFaults): AccountFaults {
  const own = new Map<string, SandboxFaults>();
  const keys = new Map<string, string>();
  return {
    of: (accountId) => (accountId === undefined ? undefined : own.get(accountId)) ?? everybody(),
    set: (accountId, faults) => {
      if (faults === NO_SANDBOX_FAULTS) return own.delete(accountId) || true;
      if (!own.has(accountId) && own.size >= MAX_ACCOUNTS) return false;
      own.set(accountId, faults);
      return true;
    },
    remember: (providerKey, accountId) => {
      const oldest = keys.size >= MAX_KEYS ? keys.keys().next() : undefined;
      if (oldest !== undefined && oldest.done !== true) keys.delete(oldest.value);
      keys.set(providerKey, accountId);
    },
    accountOf: (providerKey) => keys.get(providerKey),
    clear: () => {
      own.clear();
      keys.clear();
    },
  };
}
