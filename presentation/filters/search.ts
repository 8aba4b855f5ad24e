import { type Filter, type FilterSet, type FiltersOf, text as TEXT } from "@/domain/lists/filters";
import { formatAmount, parseAmount } from "@/domain/money";
import { UUID } from "@/domain/uuid";

/** Search parameters as Next's pages and the admin API have them. */
export type SearchInput = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface FilterProblem {
  readonly name: string;
  readonly detail: string;
}

/** Never fails: what could not be understood is left out and named. */
export interface Parsed<Filters> {
  readonly filters: Filters;
  readonly cursor?: string | undefined;
  readonly problems: readonly FilterProblem[];
}

/** Longest text and most values of one filter. */
export const MAX_FILTER_TEXT = 300;
export const MAX_FILTER_VALUES = 20;
/** Understood everywhere: the tenant of the console and the place in the list. */
const COMMON = ["tenant", "cursor"];

/** Reads the filters of a list from an address. */
export interface FilterParser<Filters extends object = object> {
  (search: SearchInput): Parsed<Filters>;
  readonly filters: FilterSet;
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/;
/** Years that PostgreSQL reads as written: it has none of 0000. */
const DATABASE_TIME = /^(?!0000)\d{4}-/;
const CURRENCY_GUESS = "EUR";

/** As a field for date and time writes it. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/**
 * A total parser: it never throws, whatever the address bar holds. Names that the set does not have are problems of their own.
 * @param refine what is wrong between filters that are each in order
 */
export function parserOf<Set extends FilterSet>(
  filters: Set,
  refine = (parsed: Parsed<FiltersOf<Set>>) => parsed,
): FilterParser<FiltersOf<Set>> {
  const names = new Map(Object.entries(filters).map(([name, { as = name }]) => [as, name]));
  const parse = (search: SearchInput): Parsed<FiltersOf<Set>> => {
    const problems: FilterProblem[] = [];
    const read = readerOf(search, problems);
    const found: Record<string, unknown> = {};
    for (const [as, name] of names) found[name] = read(as, filters[name] ?? TEXT, found["currency"]);
    const cursor = read("cursor", TEXT) as string | undefined;
    for (const name of Object.keys(search))
      if (!names.has(name) && !COMMON.includes(name) && search[name] !== undefined)
        problems.push({ name, detail: "is not a filter of this list" });
    return refine({ filters: found as FiltersOf<Set>, cursor, problems });
  };
  return Object.assign(parse, { filters });
}

function readerOf(search: SearchInput, problems: FilterProblem[]) {
  const wrong = (name: string, detail: string): undefined => void problems.push({ name, detail });
  function values(name: string): readonly string[] {
    const raw = search[name];
    const list = raw === undefined ? [] : typeof raw === "string" ? [raw] : raw;
    const kept = list.map((value) => value.trim()).filter((value) => value !== "");
    if (kept.some((value) => value.length > MAX_FILTER_TEXT)) {
      wrong(name, `longer than ${String(MAX_FILTER_TEXT)} characters`);
      return [];
    }
    return kept;
  }
  function one(name: string): string | undefined {
    const list = values(name);
    const value = list[0];
    if (list.length > 1) wrong(name, "given more than once");
    else if (value !== undefined && /[\u0000-\u001f]/.test(value)) wrong(name, "contains a control character");
    else return value;
    return undefined;
  }
  function checked<Value>(name: string, detail: string, read: (value: string) => Value | undefined): Value | undefined {
    const value = one(name);
    const known = value === undefined ? undefined : read(value);
    if (value !== undefined && known === undefined) wrong(name, detail);
    return known;
  }
  function manyOf(name: string, allowed: readonly string[]): readonly string[] {
    const list = values(name).flatMap((value) => value.split(","));
    if (list.length > MAX_FILTER_VALUES) wrong(name, `more than ${String(MAX_FILTER_VALUES)} values`);
    if (list.some((value) => !allowed.includes(value))) wrong(name, `not one of ${allowed.join(", ")}`);
    return allowed.filter((value) => list.includes(value));
  }
  return (name: string, { kind, values: allowed = [], otherwise, zoneless }: Filter<unknown>, currency?: unknown) => {
    switch (kind) {
      case "text":
        return one(name);
      case "many":
        return manyOf(name, allowed);
      case "choice":
        return (
          checked(name, `not one of ${allowed.join(", ")}`, (value) => allowed.find((each) => each === value)) ??
          otherwise
        );
      case "flag":
        return checked(name, "not true or false", (value) => FLAGS[value]) === "yes";
      case "time":
        return checked(name, "not a time like 2026-11-19T14:02:00Z", (value) =>
          readTime(zoneless === true && WITHOUT_ZONE.test(value) ? `${value}Z` : value),
        );
      case "amount":
        return checked(name, "not an amount like 12.50", (value) =>
          readAmount(value, typeof currency === "string" ? currency : undefined),
        );
      case "uuid":
        return checked(name, "not an id", (value) => (UUID.test(value) ? value.toLowerCase() : undefined));
    }
  };
}

const FLAGS: Readonly<Record<string, "yes" | "no">> = { true: "yes", "1": "yes", false: "no", "0": "no" };

function readTime(value: string): string | undefined {
  // A plus sign that was not encoded arrives as a space.
  const text = value.replace(" ", "+");
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN;
  const iso = Number.isNaN(at) ? "" : new Date(at).toISOString();
  return DATABASE_TIME.test(iso) ? iso : undefined;
}

function readAmount(value: string, currency: string | undefined): string | undefined {
  const text = value.replaceAll(",", "").replace(/^[€$£¥]/, "");
  if (/^0(\.0+)?$/.test(text)) return "0";
  return parseAmount(text, currency ?? CURRENCY_GUESS)?.toString();
}

/** Builds "" or "?a=b" from the parts that are set; lists become repeated names. */
export function buildSearch(parts: Readonly<Record<string, string | readonly string[] | boolean | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined || value === false || value === "") continue;
    for (const item of typeof value === "object" ? value : [value === true ? "true" : value]) search.append(name, item);
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** @returns what writes the filters of a list as the query string of its address, defaults left out. */
export function searchWriter<Set extends FilterSet>(set: Set) {
  return (filters: FiltersOf<Set>, cursor?: string): string => {
    const given: Readonly<Record<string, unknown>> = filters;
    const parts = Object.entries(set).map(([name, { kind, as = name, otherwise }]) => {
      const value = given[name] === otherwise ? undefined : given[name];
      return [as, kind === "amount" ? decimal(value, given["currency"]) : value];
    });
    return buildSearch({ ...(Object.fromEntries(parts) as Parameters<typeof buildSearch>[0]), cursor });
  };
}

function decimal(minor: unknown, currency: unknown): string | undefined {
  if (typeof minor !== "string") return undefined;
  return formatAmount(BigInt(minor), typeof currency === "string" ? currency : CURRENCY_GUESS);
}
