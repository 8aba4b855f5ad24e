/** Formats of times and durations. Pure: the current time is always passed in. */
import { isNamedZone, type NamedZone, type Zone } from "@/domain/time-zone";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Age in a list: "1 s", "41 min", "3 h", "2 d". @param ms duration in milliseconds; negative counts as 0 */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h`;
  return `${Math.floor(age / DAY)} d`;
}

/** A duration while it matters: "264 ms", "2.19 s", "10.0 s", "2 min 10 s", "3 h 12 min", "2 d 4 h". @param ms milliseconds */
export function formatDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < SECOND) return `${Math.round(span)} ms`;
  if (span < 10 * SECOND) return `${(Math.floor(span / 10) / 100).toFixed(2)} s`;
  if (span < MINUTE) return `${(Math.floor(span / 100) / 10).toFixed(1)} s`;
  if (span < HOUR) return pair(span, MINUTE, "min", SECOND, "s");
  if (span < DAY) return pair(span, HOUR, "h", MINUTE, "min");
  return pair(span, DAY, "d", HOUR, "h");
}

function pair(span: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((span % big) / small);
  const head = `${Math.floor(span / big)} ${bigUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly clock: string;
  readonly millis: string;
}

/** Beside a clock: "UTC", "local", "Berlin". */
export function zoneWord(zone: Zone): string {
  if (zone === "utc" || zone === "local") return zone === "utc" ? "UTC" : "local";
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** To make one costs more than all else here. */
const formatters = new Map<NamedZone, Intl.DateTimeFormat>();

function formatterOf(timeZone: NamedZone): Intl.DateTimeFormat | undefined {
  const made = formatters.get(timeZone);
  if (made !== undefined || !isNamedZone(timeZone)) return made;
  const two = "2-digit";
  const formatter = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: two, minute: two, second: two },
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** The moment whose UTC fields are what a clock of the zone shows. */
function shifted(at: Date, zone: Zone): Date {
  if (zone === "utc") return at;
  if (zone === "local") return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE);
  const fields = formatterOf(zone)?.formatToParts(at);
  if (fields === undefined) return at;
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(fields.find((each) => each.type === type)?.value);
  const seconds = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return new Date(seconds + at.getUTCMilliseconds());
}

/** How far a clock of the zone is ahead of UTC at a moment, milliseconds. */
export function zoneOffset(at: number, zone: Zone): number {
  return shifted(new Date(at), zone).getTime() - at;
}

const MINUTES_PRECISION = 16;

/** What a clock of the zone shows at a moment, as a field for date and time writes it: "2026-11-19T14:43". */
export function zonedMinute(iso: string, zone: Zone): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? "" : shifted(at, zone).toISOString().slice(0, MINUTES_PRECISION);
}

/**
 * The moment at which a clock of the zone shows this. Of an hour that comes twice it is the first, of one that is left out the
 * moment as far behind the change.
 * @param clock "2026-11-19T14:43", as a field for date and time has it
 * @returns RFC 3339 UTC; undefined for what is no time
 */
export function momentOf(clock: string, zone: Zone): string | undefined {
  const wall = Date.parse(`${clock}Z`);
  if (Number.isNaN(wall)) return undefined;
  const offsets = [zoneOffset(wall - DAY, zone), zoneOffset(wall + DAY, zone)];
  const exact = offsets.map((offset) => wall - offset).find((at) => at + zoneOffset(at, zone) === wall);
  return new Date(exact ?? wall - (offsets[0] ?? 0)).toISOString();
}

function parts(instant: Date, zone: Zone): Parts {
  const two = (n: number): string => String(n).padStart(2, "0");
  const at = shifted(instant, zone);
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth(),
    day: at.getUTCDate(),
    clock: `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`,
    millis: String(at.getUTCMilliseconds()).padStart(3, "0"),
  };
}

/** "14:02:09", with `millis` "14:02:09.114". */
export function formatClock(iso: string, zone: Zone, millis = false): string {
  const p = parts(new Date(iso), zone);
  return millis ? `${p.clock}.${p.millis}` : p.clock;
}

/** "20 Nov, 14:02", with the year when it is not the year of `now`. */
export function formatDay(iso: string, zone: Zone, now: string): string {
  const p = parts(new Date(iso), zone);
  const year = p.year === parts(new Date(now), zone).year ? "" : ` ${p.year}`;
  return `${p.day} ${MONTHS[p.month] ?? ""}${year}, ${p.clock.slice(0, 5)}`;
}

/** "19 Nov 2026, 14:02:09.114 UTC"; in another zone its offset stands in the place of UTC. */
export function formatExactTime(iso: string, zone: Zone): string {
  const at = new Date(iso);
  const p = parts(at, zone);
  return `${p.day} ${MONTHS[p.month] ?? ""} ${p.year}, ${p.clock}.${p.millis} ${zoneName(at, zone)}`;
}

function zoneName(at: Date, zone: Zone): string {
  if (zone === "utc") return "UTC";
  const minutes = Math.round(zoneOffset(at.getTime(), zone) / MINUTE);
  const size = Math.abs(minutes);
  const text = `${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "−" : "+"}${text}`;
}

/** "~1.24 M", "~9,100", exact below 10,000 unless `about`. */
export function formatCount(count: number, about = false): string {
  if (about && count >= 1_000_000) return `~${(count / 1_000_000).toFixed(2)} M`;
  const text = String(Math.round(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return about ? `~${text}` : text;
}
