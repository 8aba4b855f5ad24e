/**
 * Money is a bigint of minor units and a currency; never a float. On the wire: decimal string, or an integer of
 * minor units, both the same command.
 */
export interface Money {
  readonly minor: bigint;
  readonly currency: string;
}

/** ISO 4217 minor-unit digits that differ from 2. */
const DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};

/** Largest amount that is accepted, in minor units: keeps sums inside bigint columns and typing slips out. */
export const MAX_AMOUNT_MINOR = 99_999_999_999_999n;

const SYMBOLS: Readonly<Record<string, string>> = { EUR: "€", USD: "$", GBP: "£", JPY: "¥" };

export function minorDigits(currency: string): number {
  return DIGITS[currency] ?? 2;
}

/** @returns `undefined` when the text is not a positive decimal with at most the currency's digits. */
export function parseAmount(value: string | number, currency: string): bigint | undefined {
  const digits = minorDigits(currency);
  let minor: bigint;
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) return undefined;
    minor = BigInt(value);
  } else {
    const match = /^(0|[1-9]\d{0,14})(?:\.(\d{1,3}))?$/.exec(value);
    if (!match) return undefined;
    const fraction = match[2] ?? "";
    if (fraction.length > digits) return undefined;
    minor = BigInt((match[1] ?? "0") + fraction.padEnd(digits, "0"));
  }
  return minor > 0n && minor <= MAX_AMOUNT_MINOR ? minor : undefined;
}

/** @returns decimal string, e.g. `1000n, "EUR"` → `"10.00"`. */
export function formatAmount(minor: bigint, currency: string): string {
  const digits = minorDigits(currency);
  const sign = minor < 0n ? "-" : "";
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0");
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** For people: symbol, thousands comma, always the full minor digits. */
export function displayMoney(minor: bigint, currency: string): string {
  const [whole = "0", fraction] = formatAmount(minor < 0n ? -minor : minor, currency).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const number = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  const symbol = SYMBOLS[currency];
  return `${minor < 0n ? "−" : ""}${symbol === undefined ? `${number} ${currency}` : symbol + number}`;
}
