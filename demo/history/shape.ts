/**
 * What the seeded traffic looks like. Everything about a row follows from its number, so the same size seeded at the same
 * moment is the same rows. Numbers run oldest first; twenty follow each other in one pattern, so that a refund finds its payment.
 */

/** Days that the traffic is spread over; the last one is today and ends now. */
export const SEED_DAYS = 30;
/** Numbers of one pattern: 16 payments, two refunds, one void, one account. */
export const PATTERN = 20;
export const OPEN_OPERATIONS = 50;
/** Of the open ones: their owner went silent. */
export const STALE_OPERATIONS = 6;
export const UNKNOWN_OPERATIONS = 30;
/** Unknown ones are of the last days. */
const UNKNOWN_DAYS = 2;
/** The newest successes are still under way: in the outbox, and behind it in the inbox. */
export const PENDING_MESSAGES = 200;
export const WAITING_ARRIVALS = 100;
/** Dead messages per side over all days; those older than OPEN_DEATH_DAYS were settled by a person. */
export const DEATHS = 300;
export const OPEN_DEATH_DAYS = 7;
/** One key that a client retried without end. */
export const HOT_KEY_REPLAYS = 2_000;
export const ACCOUNTS = 2_000;
/** Name, and how many of 100 requests it sends. */
export const CLIENTS: readonly (readonly [string, number])[] = [
  ["till-web", 38],
  ["mobile-app", 22],
  ["till-counter", 16],
  ["marketplace-eu", 12],
  ["partner-lumen", 8],
  ["billing-cron", 4],
];
/** Smallest seed in which every state has its rows. */
export const LEAST_OPERATIONS = 5_000;
/** Events of an operation that nobody retried: it was claimed and executed. */
const OWN_EVENTS = 2;

/** One day of the seed. */
export interface SeedDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Numbers `first` to `first + count - 1`. */
  readonly first: number;
  readonly count: number;
  /** Of the day that traffic had time for. */
  readonly seconds: number;
}

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** @returns every day with its numbers, whole patterns each; a day that has just begun has few */
export function seedDays(now: Date, operations: number): SeedDay[] {
  const midnight = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const today = Math.max(1, (now.getTime() - midnight) / 1_000);
  const perSecond = operations / ((SEED_DAYS - 1) * DAY_SECONDS + today);
  const whole = Math.floor((perSecond * DAY_SECONDS) / PATTERN) * PATTERN;
  return Array.from({ length: SEED_DAYS }, (_, index) => {
    const last = index === SEED_DAYS - 1;
    return {
      day: new Date(midnight - (SEED_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
      first: index * whole,
      count: last ? operations - index * whole : whole,
      seconds: last ? today : DAY_SECONDS,
    };
  });
}

/** What a seed is made of, as numbers for its statements. */
export interface SeedShape {
  readonly operations: number;
  /** Mean number of further answers of one operation. */
  readonly replays: number;
  /** Between two unknown operations. */
  readonly unknownStep: number;
  /** Between two dead messages of one side. */
  readonly deathStep: number;
}

/** @param events in all, about; never fewer than two an operation */
export function seedShape(operations: number, events: number): SeedShape {
  const perDay = operations / SEED_DAYS;
  const step = (every: number): number => Math.max(1, Math.ceil(every / PATTERN)) * PATTERN;
  return {
    operations,
    replays: Math.max(0, events / operations - OWN_EVENTS),
    unknownStep: step((perDay * UNKNOWN_DAYS) / UNKNOWN_OPERATIONS),
    deathStep: step(operations / DEATHS),
  };
}

/** @returns the size that is really seeded: whole patterns */
export function wholePatterns(operations: number): number {
  return Math.ceil(operations / PATTERN) * PATTERN;
}
