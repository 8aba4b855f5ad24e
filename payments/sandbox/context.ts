import type { AccountFaults } from "./account-faults";
import type { SandboxFaultKind, SandboxFaults } from "./faults";
import type { Ledger } from "./ledger";
import type { WebhookSender } from "./webhooks";

export interface SandboxContext {
  readonly ledger: Ledger;
  readonly webhooks: WebhookSender;
  /** Of everybody; an account may have its own. */
  faults: SandboxFaults;
  readonly accounts: AccountFaults;
  /** Draws one fault. */
  draws(faults: SandboxFaults, kind: SandboxFaultKind): boolean;
}

export interface SandboxReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler decides: an answer, silence (the caller's own timeout must fire) or a cut connection. */
export type SandboxOutcome = SandboxReply | "silence" | "reset" | { readonly raw: string };

export function refused(status: number, code: string, message: string): SandboxReply {
  return { status, body: { error: { code, message } } };
}
