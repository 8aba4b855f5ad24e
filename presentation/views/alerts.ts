import type { AlertEnd } from "@/domain/alerts/decide";
import type { AlertCondition, AlertDestinationKind } from "@/domain/alerts/rules";

/** What a tenant is told, where, and what is so now. */
export interface AlertsView {
  readonly at: string;
  /** Those that were told and have not ended, the oldest first. */
  readonly open: readonly OpenAlertView[];
  /** Over their limit, and not for long enough to be told. */
  readonly pending: number;
  /** The newest of those that ended. */
  readonly ended: readonly EndedAlertView[];
  readonly rules: readonly AlertRuleView[];
  readonly destinations: readonly AlertDestinationView[];
  /** Destinations that a tenant may have. */
  readonly limit: number;
  /** Whether this person may change anything; else the sentence that says why not. */
  readonly whyNot?: string | undefined;
}

export interface AlertView {
  readonly id: string;
  readonly condition: AlertCondition;
  /** "€1,204.00 in doubt, limit €1,000.00" */
  readonly title: string;
  /** The page that shows it. */
  readonly href: string;
  /** When it was first found. */
  readonly since: string;
}

export interface OpenAlertView extends AlertView {
  /** 1 from the limit on, 2 from twice the limit on; the highest that was told. */
  readonly level: number;
  readonly toldAt: string;
  /** Since when it is under its limit again. */
  readonly clearSince?: string | undefined;
}

export interface EndedAlertView extends AlertView {
  readonly endedAt: string;
  readonly endedAs: AlertEnd;
}

export interface AlertRuleView {
  readonly condition: AlertCondition;
  readonly enabled: boolean;
  /** As one number, where it is one. */
  readonly limit?: number | undefined;
  /** Of money: `EUR 500.00, JPY 50000`. */
  readonly amounts?: string | undefined;
  /** Of money, for people. */
  readonly shownAmounts?: string | undefined;
  /** Nobody decided it. */
  readonly isDefault: boolean;
  readonly updatedAt?: string | undefined;
  readonly updatedBy?: string | undefined;
}

export interface AlertDestinationView {
  readonly id: string;
  readonly kind: AlertDestinationKind;
  readonly name: string;
  /** Of its address, what may be seen: a webhook's host, the end of a routing key, a masked e-mail address. */
  readonly shown: string;
  /** Of the outbox: `alert:<kind>:<id>`. */
  readonly topic: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly waiting: number;
  readonly dead: number;
  /** Why nothing could be sent there, or why the last attempt failed: a code. */
  readonly lastError?: string | undefined;
}
