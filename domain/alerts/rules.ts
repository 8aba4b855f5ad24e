import { displayMoney, formatAmount, parseAmount } from "../money";

/** What an alert can be about. */
export const ALERT_CONDITIONS = [
  "money_in_doubt",
  "dead_letters",
  "failing_topic",
  "stopped_loop",
  "red_invariant",
] as const;
export type AlertCondition = (typeof ALERT_CONDITIONS)[number];

/** Where alerts can go. `slack`: an incoming webhook of Slack, or of anything that takes the same body. */
export const ALERT_DESTINATION_KINDS = ["slack", "pagerduty", "email"] as const;
export type AlertDestinationKind = (typeof ALERT_DESTINATION_KINDS)[number];

/** What a tenant decided about one condition. */
export interface AlertSetting {
  readonly condition: AlertCondition;
  readonly enabled: boolean;
  /** Dead letters, minutes of the oldest message of a topic, violations; 1 for a loop. Not for money. */
  readonly limit: bigint;
  /** Money in doubt: minor units by currency. A currency without a limit is not watched. */
  readonly amounts: Readonly<Record<string, bigint>>;
}

/**
 * Without a decision. No amount is a good guess for every business, so money has none; a loop works for all tenants, so it is told
 * only where somebody asked for it.
 */
const DEFAULTS: Readonly<Record<AlertCondition, { readonly enabled: boolean; readonly limit: bigint }>> = {
  money_in_doubt: { enabled: true, limit: 1n },
  dead_letters: { enabled: true, limit: 1n },
  failing_topic: { enabled: true, limit: 10n },
  stopped_loop: { enabled: false, limit: 1n },
  red_invariant: { enabled: true, limit: 1n },
};

/** Conditions whose limit a person sets as one number. */
export const COUNTED_CONDITIONS: readonly AlertCondition[] = ["dead_letters", "failing_topic", "red_invariant"];
export const MAX_ALERT_LIMIT = 1_000_000;
/** Currencies of one rule. */
export const MAX_ALERT_CURRENCIES = 20;

export function defaultRule(condition: AlertCondition): AlertSetting {
  return { condition, ...DEFAULTS[condition], amounts: {} };
}

/** @returns every condition's rule, by what was decided or by default, in the order of ALERT_CONDITIONS */
export function allRules(decided: readonly AlertSetting[]): readonly AlertSetting[] {
  return ALERT_CONDITIONS.map(
    (condition) => decided.find((rule) => rule.condition === condition) ?? defaultRule(condition),
  );
}

/**
 * Reads `EUR 500.00, JPY 50000`.
 * @returns minor units by currency; undefined for anything else, a currency that comes twice, or too many
 */
export function parseAmounts(text: string): Readonly<Record<string, bigint>> | undefined {
  const amounts: Record<string, bigint> = {};
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const [, currency = "", amount = ""] = /^([A-Z]{3})\s+(\S+)$/.exec(part) ?? [];
    const minor = currency === "" ? undefined : parseAmount(amount, currency);
    if (minor === undefined || amounts[currency] !== undefined) return undefined;
    amounts[currency] = minor;
  }
  return Object.keys(amounts).length > MAX_ALERT_CURRENCIES ? undefined : amounts;
}

/** @returns what {@link parseAmounts} reads, currencies in their order */
export function amountsText(amounts: AlertSetting["amounts"]): string {
  return sorted(amounts)
    .map(([currency, minor]) => `${currency} ${formatAmount(minor, currency)}`)
    .join(", ");
}

/** @returns the same for people: "€500.00, ¥50,000" */
export function shownAmounts(amounts: AlertSetting["amounts"]): string {
  return sorted(amounts)
    .map(([currency, minor]) => displayMoney(minor, currency))
    .join(", ");
}

const sorted = (amounts: AlertSetting["amounts"]) => Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1));
