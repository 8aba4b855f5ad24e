const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A time in a sentence that is stored, copied or sent, so its zone is UTC and stands beside it: "19 Nov 2026, 14:02 UTC".
 * @param at RFC 3339 UTC
 * @param to what it is exact to; default the minute
 */
export function writtenTime(at: string, to: "minute" | "second" = "minute"): string {
  const [year = "", month = "", day = ""] = at.slice(0, 10).split("-");
  return `${String(Number(day))} ${MONTHS[Number(month) - 1] ?? ""} ${year}, ${at.slice(11, to === "minute" ? 16 : 19)} UTC`;
}

/** The clock of it alone: "14:02:09 UTC". @param at RFC 3339 UTC */
export function writtenClock(at: string): string {
  return `${at.slice(11, 19)} UTC`;
}
