import type { Reply } from "../pretend-server";
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

export function refused(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } };
}
