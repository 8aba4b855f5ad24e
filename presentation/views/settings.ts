import type { Role } from "@/domain/idempotency/states";
import type { NamedFact } from "./operations";

export interface SettingsView {
  readonly at: string;
  readonly tenant: { readonly id: string; readonly name: string; readonly homeRegion: string };
  readonly clients: readonly ClientRow[];
  readonly operators: readonly OperatorRow[];
  readonly eventSources: readonly EventSourceRow[];
  readonly windows: readonly NamedFact[];
  /** Whether the database refuses a write that does not go through a function of the state machine, and that in words. */
  readonly guard: { readonly active: boolean; readonly note: string };
  readonly permissions: readonly { readonly action: string; readonly role: Role; readonly allowed: boolean }[];
}

export interface ClientRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly profile: string;
  readonly createdAt: string;
  /** Public part of each key, never a secret. */
  readonly keys: readonly {
    readonly id: string;
    readonly createdAt: string;
    readonly revokedAt?: string | undefined;
  }[];
}

export interface OperatorRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly disabledAt?: string | undefined;
  readonly createdAt: string;
}

export interface EventSourceRow {
  readonly source: string;
  readonly secretId: string;
  readonly createdAt: string;
  readonly expiresAt?: string | undefined;
}
