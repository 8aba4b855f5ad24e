/** When things happened in the seeded week, relative to now. All of an incident, with what people did about it, lies within one day of UTC. */

/** Days that the week is spread over, today as the eighth: it begins at this time of day a week ago. */
export const WEEK_DAYS = 7;
/** Numbers of one day; a day has fewer operations. */
export const DAY_NUMBERS = 100_000;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export interface Stretch {
  readonly from: Date;
  readonly to: Date;
}

/** The provider takes payments and does not answer, nor can it be asked. */
export interface Silence extends Stretch {
  /** Payments that it took without an answer, at the most. */
  readonly lost: number;
  /** Of them, those that a person has to settle in the end. */
  readonly byHand: number;
  /** When a person planned what was still unknown; left out: recovery settled all of it. */
  readonly planned?: Date;
}

export interface Calendar {
  readonly now: Date;
  readonly timeouts: Silence;
  /** Of the last hours, and shorter. */
  readonly silence: Silence;
  /** The receiver of the topic `payments` answers 503. */
  readonly outage: Stretch;
  /** A release of a client is out that uses a key again for another amount. */
  readonly release: Stretch;
  /** The same of another client, in the last hours: nobody has marked it yet. */
  readonly slip: Stretch;
  /** A merchant's endpoint takes no connection, in the last hours. */
  readonly away: Stretch;
  /** Of one account: its first message dies, those behind it wait until a person closes it. */
  readonly poison: Stretch;
  /** The topic `accounts` is paused. */
  readonly pause: Stretch;
}

/** Payments without an answer in the two silences of the provider; the first ones of the long one a person has to settle. */
export const LOST_PAYMENTS = 44;
export const SETTLED_BY_HAND = 5;
export const LOST_LATELY = 9;

/** The outage is in hours of little traffic: everything that is written then dies, and a person plans it again row by row. */
const QUIET_AFTER_HOURS = 13;
const LATEST_OUTAGE_HOUR = 20;

/** Minutes behind an incident in which the last of it is settled. */
const SETTLING_MINUTES = 60;

/** @returns what began so many hours ago, or earlier where it would not lie within one day */
function lately(now: Date, hours: number, minutes: number): Stretch {
  const whole = (minutes + SETTLING_MINUTES) * MINUTE_MS;
  const wanted = Math.floor((now.getTime() - hours * HOUR_MS) / MINUTE_MS) * MINUTE_MS;
  const midnight = Math.ceil(wanted / DAY_MS) * DAY_MS;
  const from = wanted < midnight && wanted + whole >= midnight ? midnight - whole - MINUTE_MS : wanted;
  return { from: new Date(from), to: new Date(from + minutes * MINUTE_MS) };
}

/** @param now where the week ends */
export function calendarOf(now: Date): Calendar {
  const midnight = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const span = (daysAgo: number, hour: number, minutes: number): Stretch => {
    const from = midnight - daysAgo * DAY_MS + hour * HOUR_MS;
    return { from: new Date(from), to: new Date(from + minutes * MINUTE_MS) };
  };
  const quiet = Math.min((now.getUTCHours() + QUIET_AFTER_HOURS) % 24, LATEST_OUTAGE_HOUR);
  const timeouts = span(2, 13, 12);
  return {
    now,
    poison: span(1, 10, 47),
    timeouts: { ...timeouts, lost: LOST_PAYMENTS, byHand: SETTLED_BY_HAND, planned: minutesAfter(timeouts.to, 4) },
    silence: { ...lately(now, 1.25, 6), lost: LOST_LATELY, byHand: 0 },
    slip: lately(now, 5, 60),
    away: lately(now, 4, 55),
    outage: span(3, quiet, 60),
    release: span(4, 15, 90),
    pause: span(5, 11, 20),
  };
}

/** @returns the calendar of a tenant to which nothing happened */
export function calmCalendar(now: Date): Calendar {
  const never = { from: new Date(0), to: new Date(0) };
  const silence = { ...never, lost: 0, byHand: 0 };
  const nothing = { poison: never, outage: never, release: never, pause: never, slip: never, away: never };
  return { now, timeouts: silence, silence, ...nothing };
}

/** @param minutes after the instant, negative: before */
export function minutesAfter(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * MINUTE_MS);
}

export interface WeekDay extends Stretch {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** First number. */
  readonly first: number;
  /** 1: today. */
  readonly ago: number;
}

/** @returns the days of the week, oldest first: seven whole ones, so that today's hours have some to compare with, and today until now */
export function weekDays(now: Date): WeekDay[] {
  const midnight = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  return Array.from({ length: WEEK_DAYS + 1 }, (_, index) => {
    const start = midnight - (WEEK_DAYS - index) * DAY_MS;
    return {
      day: new Date(start).toISOString().slice(0, 10),
      first: index * DAY_NUMBERS,
      ago: WEEK_DAYS + 1 - index,
      from: new Date(start),
      to: new Date(Math.min(start + DAY_MS, now.getTime())),
    };
  });
}

/** Numbers of a day that its traffic does not reach, and of one tail. */
const TAIL_NUMBERS = 80_000;
const TAIL_STEP = 5_000;
/** Of the end of a week nothing is made, so that no answer is in the future. */
export const OPEN_MS = 1_000;

/** @returns what is between the end of the week and now; over midnight, what is of the new day. @param tail 0: the first one */
export function tailDays(from: Date, now: Date, tail = 0): WeekDay[] {
  const days = weekDays(now).slice(-1);
  const since = from.getTime() - OPEN_MS;
  return days.map((day) => ({
    ...day,
    first: day.first + TAIL_NUMBERS + tail * TAIL_STEP,
    from: new Date(Math.max(day.from.getTime(), since)),
  }));
}
