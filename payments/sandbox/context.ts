import type { AccountFaults } from "./account-faults";
import type { FaultKind, Faults } from "./faults";
import type { Ledger } from "./ledger";
import type { WebhookSender } from "./webhooks";

export interface SandboxContext {
  readonly ledger: Ledger;
  readonly webhooks: WebhookSender;
  /** Of everybody; an account may have its own. */
  faults: Faults;
  readonly accounts: AccountFaults;
  /** Draws one fault. */
  hit(faults: Faults, kind: FaultKind): boolean;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler decides: an answer, silence (the caller's own timeout must fire) or a cut connection. */
export type Outcome = Reply | "silence" | "reset" | { readonly raw: string };

/** Error body of the pretend provider. */
export function problem(code: string, message: string): { error: { code: string; message: string } } {
  return { error: { code, message } };
}
