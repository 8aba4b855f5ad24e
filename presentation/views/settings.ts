import type { Role } from "@/domain/idempotency/states";
import type { PersonIdentity } from "./access";
import type { ClientKeyView } from "./clients";
import type { EventSourceRow } from "./event-sources";
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
  /** In a deployment with a read replica: how it is, in words. */
  readonly replica?: string | undefined;
  readonly permissions: readonly { readonly action: string; readonly role: Role; readonly allowed: boolean }[];
}

export interface ClientRow extends Pick<ClientKeyView, "id" | "scopes" | "profile" | "createdAt"> {
  readonly name: string;
  /** Public part of each key, never a secret. */
  readonly keys: readonly Pick<ClientKeyView, "id" | "createdAt" | "revokedAt">[];
}

export interface OperatorRow extends Omit<PersonIdentity, "role"> {
  readonly role: string;
}
