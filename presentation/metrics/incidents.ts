/** Stretches of time in which something was wrong, to be marked through all strips of the overview. Pure. */

export interface MinuteFacts {
  /** Start of the minute, RFC 3339. */
  readonly minute: string;
  readonly unknown: number;
  /** Age of the oldest message of the outbox, seconds; none: not sampled. */
  readonly outboxSeconds?: number | undefined;
}

export interface IncidentWindow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

const MINUTE_MS = 60_000;
/** Anything shorter is settled by retries. */
export const INCIDENT_LEAST_MS = 2 * MINUTE_MS;
/** A quiet time of this length ends it; a shorter one lies within. */
export const INCIDENT_QUIET_MS = 3 * MINUTE_MS;
/** The value of the alert OutboxLag (docs/alerts.yml). */
export const OUTBOX_LATE_SECONDS = 60;
/** Bands drawn through a strip at the most: the longest incidents. */
const MOST = 6;

/**
 * New unknown outcomes, which is what a provider that times out leaves, and an outbox that is late: each kind for itself, from its
 * first minute to the end of its last. A minute without either, up to two in a row, does not end one.
 * @param minutes in any order; a minute that is not there was quiet
 * @param most of them, the longest
 */
export function findIncidents(minutes: readonly MinuteFacts[], most = MOST): readonly IncidentWindow[] {
  const unknown = stretches(
    minutes.filter((each) => each.unknown > 0),
    "new unknown",
  );
  const late = stretches(
    minutes.filter((each) => (each.outboxSeconds ?? 0) > OUTBOX_LATE_SECONDS),
    "outbox late",
  );
  const length = ({ from, to }: IncidentWindow): number => Date.parse(to) - Date.parse(from);
  return [...unknown, ...late]
    .sort((a, b) => length(b) - length(a))
    .slice(0, most)
    .sort((a, b) => a.from.localeCompare(b.from));
}

function stretches(minutes: readonly MinuteFacts[], label: string): readonly IncidentWindow[] {
  const starts = minutes.map((each) => Date.parse(each.minute)).sort((a, b) => a - b);
  const found: { from: number; to: number }[] = [];
  for (const start of starts) {
    const last = found.at(-1);
    if (last !== undefined && start - last.to < INCIDENT_QUIET_MS) last.to = start + MINUTE_MS;
    else found.push({ from: start, to: start + MINUTE_MS });
  }
  return found
    .filter(({ from, to }) => to - from >= INCIDENT_LEAST_MS)
    .map(({ from, to }) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), label }));
}
