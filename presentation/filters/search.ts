import { parseAmount } from "@/domain/money";
import { type Range, RANGES, type TimeWindow } from "@/domain/lists/window";
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

export interface SearchReader {
  text(name: string): string | undefined;
  /** Repeated or comma separated. */
  many<Value extends string>(name: string, allowed: readonly Value[]): readonly Value[];
  choice<Value extends string, Default extends Value | undefined>(
    name: string,
    allowed: readonly Value[],
    otherwise: Default,
  ): Value | Default;
  flag(name: string): boolean;
  /** RFC 3339 with zone; returned as UTC. */
  time(name: string): string | undefined;
  /** Decimal string → minor units as text. */
  amount(name: string, currency: string | undefined): string | undefined;
  uuid(name: string): string | undefined;
  done<Filters>(filters: Filters): Parsed<Filters>;
}

/** One parameter of a list, for its documentation. */
export interface FilterNote {
  readonly kind: "text" | "many" | "choice" | "flag" | "time" | "amount" | "uuid";
  /** Of a choice, or of many. */
  readonly values?: readonly string[];
  readonly otherwise?: string | undefined;
}

/** While a parser is being described. */
let noted: Map<string, FilterNote> | undefined;

/** @returns what a parser of filters understands, by name: it is run once without a search and notes what it asks for */
export function filtersOf(parse: (search: SearchInput) => unknown): ReadonlyMap<string, FilterNote> {
  const notes = new Map<string, FilterNote>();
  noted = notes;
  try {
    parse({});
  } finally {
    noted = undefined;
  }
  return notes;
}

/** @returns the name */
function note(name: string, kind: FilterNote["kind"], more: Omit<FilterNote, "kind"> = {}): string {
  noted?.set(name, { kind, ...more });
  return name;
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/;
/** Years that PostgreSQL reads as written: it has none of 0000. */
const DATABASE_TIME = /^(?!0000)\d{4}-/;
const CURRENCY_GUESS = "EUR";

/** @returns a reader that collects problems; names it was never asked for are problems of their own. */
export function readSearch(search: SearchInput): SearchReader {
  const problems: FilterProblem[] = [];
  const asked = new Set(COMMON);
  const wrong = (name: string, detail: string): undefined => void problems.push({ name, detail });

  function values(name: string): readonly string[] {
    asked.add(name);
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
  return {
    text: (name) => one(note(name, "text")),
    many(name, allowed) {
      const list = values(note(name, "many", { values: allowed })).flatMap((value) => value.split(","));
      if (list.length > MAX_FILTER_VALUES) wrong(name, `more than ${String(MAX_FILTER_VALUES)} values`);
      const unknown = list.filter((value) => !isOneOf(value, allowed));
      if (unknown.length > 0) wrong(name, `not one of ${allowed.join(", ")}`);
      return allowed.filter((value) => list.includes(value));
    },
    choice(name, allowed, otherwise) {
      note(name, "choice", { values: allowed, otherwise });
      return (
        checked(name, `not one of ${allowed.join(", ")}`, (value) => (isOneOf(value, allowed) ? value : undefined)) ??
        otherwise
      );
    },
    flag: (name) =>
      checked(note(name, "flag"), "not true or false", (value) =>
        value === "true" || value === "1" ? "yes" : value === "false" || value === "0" ? "no" : undefined,
      ) === "yes",
    time: (name) => checked(note(name, "time"), "not a time like 2026-11-19T14:02:00Z", readTime),
    amount: (name, currency) =>
      checked(note(name, "amount"), "not an amount like 12.50", (value) => readAmount(value, currency)),
    uuid: (name) =>
      checked(note(name, "uuid"), "not an id", (value) => (UUID.test(value) ? value.toLowerCase() : undefined)),
    done(filters) {
      const cursor = one("cursor");
      for (const name of Object.keys(search)) {
        if (!asked.has(name) && search[name] !== undefined) wrong(name, "is not a filter of this list");
      }
      return { filters, cursor, problems };
    },
  };
}

function isOneOf<Value extends string>(value: string, allowed: readonly Value[]): value is Value {
  return (allowed as readonly string[]).includes(value);
}

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
export const DEFAULT_RANGE: Range = "24h";

export function readWindow(reader: SearchReader, otherwise: Range = DEFAULT_RANGE): TimeWindow {
  return { range: reader.choice("range", RANGES, otherwise), from: reader.time("from"), to: reader.time("to") };
}

export function windowSearch(window: TimeWindow, otherwise: Range = DEFAULT_RANGE): Record<string, string | undefined> {
  return { range: window.range === otherwise ? undefined : window.range, from: window.from, to: window.to };
}
