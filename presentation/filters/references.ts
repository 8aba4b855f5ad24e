import { text } from "@/domain/lists/filters";
import { readQuery } from "../list/find-query";
import { parserOf, type Parsed } from "./search";

/** A day that is in the calendar. */
function isDay(day: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(day)) return false;
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

export interface ReferenceFilters {
  /** An account, whole. */
  readonly customer?: string | undefined;
  /** "84.50", "€84.50", "84.50 EUR". */
  readonly amount?: string | undefined;
  /** A day of UTC: "2026-11-19". */
  readonly day?: string | undefined;
}

/** What the search for a reference understands. An amount or a day that cannot be read is named, and left out. */
export const parseReferenceFilters = parserOf(
  { customer: text, amount: text, day: text },
  (parsed): Parsed<ReferenceFilters> => {
    const { customer, amount, day } = parsed.filters;
    const amountWrong = amount !== undefined && readQuery(amount).minor === undefined;
    const dayWrong = day !== undefined && !isDay(day);
    return {
      ...parsed,
      filters: { customer, amount: amountWrong ? undefined : amount, day: dayWrong ? undefined : day },
      problems: [
        ...parsed.problems,
        ...(amountWrong ? [{ name: "amount", detail: "is no amount such as 84.50 EUR" }] : []),
        ...(dayWrong ? [{ name: "day", detail: "is no day such as 2026-11-19" }] : []),
      ],
    };
  },
);

/** The customer whose keys alone are read. */
export const parseReferenceCustomer = parserOf({ customer: text });

/** @returns the address of everything under a reference */
export function referenceHref(reference: string, customer?: string): string {
  const path = `/references/${encodeURIComponent(reference)}`;
  return customer === undefined ? path : `${path}?customer=${encodeURIComponent(customer)}`;
}
