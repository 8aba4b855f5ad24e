import type { AlertCondition } from "./rules";

/** What a condition must last before anybody is told: what settles by itself within that wakes nobody. */
export const HOLD_MS = 60_000;
/** What it must be over before that is told: what comes back within that is the same alert, and nothing is said. */
export const CLEAR_MS = 5 * 60_000;
/** Of 2 to the power of so many times the limit nothing is worse. */
const MAX_LEVEL = 40;

/** One thing that was measured at or over its limit. */
export interface AlertFinding {
  readonly condition: AlertCondition;
  /** What it is about: a currency, a topic, a loop, the name of an invariant; empty for dead letters. */
  readonly subject: string;
  /** In the unit of the limit. Undefined: it could not be measured this time, so what was told stays as it is. */
  readonly value: bigint | undefined;
  readonly limit: bigint;
  /** Codes and counts beside it; never a body, a secret or an address. */
  readonly facts: Readonly<Record<string, string>>;
}

/** What was measured of one condition. */
export interface AlertMeasure {
  readonly condition: AlertCondition;
  readonly enabled: boolean;
  readonly findings: readonly AlertFinding[];
  /** Whether what is not among the findings is known to be under its limit. */
  readonly whole: boolean;
  /** Subjects that are watched at all; undefined: every one. */
  readonly watched?: readonly string[] | undefined;
}

/** An alert that has not ended. */
export interface KeptAlert {
  readonly id: string;
  readonly condition: AlertCondition;
  readonly subject: string;
  /** The highest that was told; 0: nobody was told yet. */
  readonly level: number;
  readonly value: bigint;
  readonly limit: bigint;
  readonly facts: Readonly<Record<string, string>>;
  /** When it was first found. */
  readonly seenAt: Date;
  /** Since when it is under its limit again. */
  readonly clearSince: Date | undefined;
}

export type AlertEnd = "resolved" | "turned_off";
/** What a message says. */
export type AlertNews = "opened" | "worse" | AlertEnd;

/** What becomes of one alert. */
export type AlertChange =
  | { readonly kind: "seen"; readonly finding: AlertFinding }
  | { readonly kind: "forgotten"; readonly alert: KeptAlert }
  | {
      readonly kind: "kept";
      readonly alert: KeptAlert;
      readonly level: number;
      readonly finding: AlertFinding | undefined;
      readonly clearSince: Date | undefined;
      readonly tell?: "opened" | "worse" | undefined;
    }
  | { readonly kind: "ended"; readonly alert: KeptAlert; readonly tell: AlertEnd };

/**
 * How bad it is: 1 from the limit on, 2 from twice the limit on, 3 from four times on. A further level is worth telling again.
 * @returns 0 below the limit
 */
export function levelOf(value: bigint, limit: bigint): number {
  let level = 0;
  for (let step = limit < 1n ? 1n : limit; value >= step && level < MAX_LEVEL; step *= 2n) level += 1;
  return level;
}

/**
 * Compares what is kept with what was measured. Pure: what it returns is written, and told, in one transaction.
 * @param kept all alerts of the tenant that have not ended @param now by the database's clock
 */
export function decideAlerts(
  kept: readonly KeptAlert[],
  measures: readonly AlertMeasure[],
  now: Date,
): readonly AlertChange[] {
  return measures.flatMap((measure) => {
    const all = kept.filter(({ condition }) => condition === measure.condition);
    const isWatched = ({ subject }: KeptAlert): boolean =>
      measure.enabled && (measure.watched?.includes(subject) ?? true);
    const off = all.filter((alert) => !isWatched(alert)).map(turnedOff);
    if (!measure.enabled) return off;
    const own = all.filter(isWatched);
    const fresh = measure.findings.filter(
      ({ value, limit, subject }) =>
        value !== undefined && levelOf(value, limit) > 0 && !own.some((each) => each.subject === subject),
    );
    return [
      ...off,
      ...own.flatMap((alert) => changeOf(alert, measure, now)),
      ...fresh.map((finding): AlertChange => ({ kind: "seen", finding })),
    ];
  });
}

function turnedOff(alert: KeptAlert): AlertChange {
  return alert.level === 0 ? { kind: "forgotten", alert } : { kind: "ended", alert, tell: "turned_off" };
}

function changeOf(alert: KeptAlert, { findings, whole }: AlertMeasure, now: Date): readonly AlertChange[] {
  const found = findings.find(({ subject }) => subject === alert.subject);
  if (found === undefined ? !whole : found.value === undefined) return [];
  const level = found?.value === undefined ? 0 : levelOf(found.value, found.limit);
  if (found !== undefined && level > 0) return [stillThere(alert, found, level, now)];
  if (alert.level === 0) return [{ kind: "forgotten", alert }];
  const since = alert.clearSince ?? now;
  if (now.getTime() - since.getTime() >= CLEAR_MS) return [{ kind: "ended", alert, tell: "resolved" }];
  return [{ kind: "kept", alert, level: alert.level, finding: found, clearSince: since }];
}

function stillThere(alert: KeptAlert, finding: AlertFinding, level: number, now: Date): AlertChange {
  const same = { kind: "kept", alert, finding, clearSince: undefined } as const;
  if (alert.level === 0) {
    const held = now.getTime() - alert.seenAt.getTime() >= HOLD_MS;
    return held ? { ...same, level, tell: "opened" } : { ...same, level: 0 };
  }
  return level > alert.level ? { ...same, level, tell: "worse" } : { ...same, level: alert.level };
}
