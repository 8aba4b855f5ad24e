import { parseAmount } from "@/domain/money";
import { UUID, UUID_INSIDE } from "@/domain/uuid";

export interface FindQuery {
  readonly text: string;
  readonly uuid?: string | undefined;
  /** 32 hex digits, alone or in a `traceparent`. */
  readonly trace?: string | undefined;
  /** Minor units as text, when it reads as an amount. */
  readonly minor?: string | undefined;
  readonly currency?: string | undefined;
}

const MAX_QUERY = 300;
const SYMBOLS: Readonly<Record<string, string>> = { "€": "EUR", $: "USD", "£": "GBP", "¥": "JPY" };
const AMOUNT = /^([€$£¥])?\s*(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,3}))?\s*([A-Z]{3})?$/;
const TRACE = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/i;

/** Reads what somebody typed: an id (also inside a URN or a link), or an amount like `12480.00`, `€12,480.00`, `12480.00 EUR`. */
export function readQuery(input: string): FindQuery {
  // Quotes come along when a key is copied from a header.
  const text = input
    .replaceAll("\u0000", "")
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .slice(0, MAX_QUERY);
  const id = UUID.test(text) || /[:/]/.test(text) ? UUID_INSIDE.exec(text)?.[0].toLowerCase() : undefined;
  const trace = TRACE.exec(text)?.[1]?.toLowerCase();
  const amount = AMOUNT.exec(text);
  if (amount === null) return { text, uuid: id, trace };
  const currency = amount[4] ?? SYMBOLS[amount[1] ?? ""];
  const decimal = (amount[2] ?? "").replaceAll(",", "") + (amount[3] === undefined ? "" : `.${amount[3]}`);
  return { text, uuid: id, minor: parseAmount(decimal, currency ?? "EUR")?.toString(), currency };
}
