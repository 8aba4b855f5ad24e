import { GIVE_UP_ASKING_HOURS, onlyAPersonSettles, type ProviderFacts } from "./provider-capabilities";

type Facts = Pick<ProviderFacts, "dedupesForHours" | "queryable">;

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
/** Waits between look-ups of an unknown outcome, in seconds; the last one repeats until GIVE_UP_ASKING_HOURS. */
const WAITS = [2, 5, 15, 30, 60, 120, 300, 600];
const LAST_WAIT = 600;
/** No request is on its way for longer: after this long "absent" means that the last one never arrived. */
const ON_ITS_WAY_MINUTES = 10;

/** @param sinceSentMs since anything was last sent for it @returns whether that may still arrive at the provider */
export function mayStillArrive(sinceSentMs: number): boolean {
  return sinceSentMs <= ON_ITS_WAY_MINUTES * MS_PER_MINUTE;
}

/**
 * Whether the same command may go out again under the same provider key: where it can be asked, only while *absent*
 * may be too early a word; where it cannot, as long as the provider surely answers a repeated key with the first effect,
 * the time on the way included.
 *
 * @param ageMs since the claim, by the database's clock
 */
export function mayRepeat(facts: Facts, ageMs: number): boolean {
  const known = ageMs + ON_ITS_WAY_MINUTES * MS_PER_MINUTE <= facts.dedupesForHours * MS_PER_HOUR;
  return known && (!facts.queryable || mayStillArrive(ageMs));
}

/**
 * When recovery comes again to an unknown outcome.
 *
 * @param checks look-ups made so far @param ageMs since the claim, by the database's clock
 * @returns milliseconds; undefined: it does not, only a person does. At once for a provider that can neither be asked nor
 *   sent the same key again, else after GIVE_UP_ASKING_HOURS, or when a repeated key would be a second effect
 */
export function nextCheckMs(facts: Facts, checks: number, ageMs: number): number | undefined {
  if (onlyAPersonSettles(facts) || ageMs >= GIVE_UP_ASKING_HOURS * MS_PER_HOUR) return undefined;
  const wait = (WAITS[checks] ?? LAST_WAIT) * MS_PER_SECOND;
  return facts.queryable || mayRepeat(facts, ageMs + wait) ? wait : undefined;
}
