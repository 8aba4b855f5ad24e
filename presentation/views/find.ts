import type { MoneyView, TooBroad, VerdictClause } from "./common";

/** Where a search leads: one target is opened, several are listed. */
export type FindView =
  | {
      readonly kind: "found";
      readonly query: string;
      readonly targets: readonly FindTarget[];
      readonly more: boolean;
      /** Tenants beside the chosen one, where that has nothing of this name: searched, and left out because they are too many. */
      readonly elsewhere: { readonly searched: number; readonly left: number };
      /** When it was read, RFC 3339. */
      readonly at: string;
    }
  | TooBroad;

export interface FindTarget {
  /** What matched: "operation", "key", "payment", "refund", "provider key", "provider reference", "reference", "account", "client", "request", "trace", "ledger entry", "audit entry", "plan", "outbox message", "inbox message", "event", "amount". */
  readonly matched: string;
  readonly href: string;
  /** "Payment €12,480.00, till-7-order-88213-pay-1". */
  readonly label: string;
  readonly id: string;
  /** Of the operation, the message or the plan that it leads to: "COMPLETED", "dead", "awaiting_approval". */
  readonly state?: string | undefined;
  /** When that came into being, RFC 3339. */
  readonly at?: string | undefined;
  readonly money?: MoneyView | undefined;
  /** Of an operation: what matters first about it. */
  readonly verdict?: VerdictClause | undefined;
  /** Where it was found, unless in the chosen tenant. */
  readonly tenant?: string | undefined;
}
