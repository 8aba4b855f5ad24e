const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "once", "twice", "7 times". */
export function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${String(count)} times`;
}

/** "1 minute", "41 minutes": "day", "hour", "minute" or "second", rounded down. */
export function spokenDuration(ms: number): string {
  const [unit, size] =
    ms < MINUTE
      ? (["second", SECOND] as const)
      : ms < HOUR
        ? (["minute", MINUTE] as const)
        : ms < 2 * DAY
          ? (["hour", HOUR] as const)
          : (["day", DAY] as const);
  return plural(Math.floor(Math.max(0, ms) / size), unit);
}

/** "1 message", "4 messages". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",")} ${count === 1 ? one : many}`;
}

/** "Rows" of "rows". */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "one", "two", "three", then figures: for sentences about few things. */
export function few(count: number): string {
  return ["none", "one", "two", "three"][count] ?? String(count);
}

/**
 * The badge beside the tenant.
 * @param provider of this deployment
 */
export function environmentName({ movesRealMoney }: { readonly movesRealMoney: boolean }): "Production" | "Sandbox" {
  return movesRealMoney ? "Production" : "Sandbox";
}
