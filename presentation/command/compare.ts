import type { CanonicalCommand } from "@/domain/idempotency/canonical";
import { displayMoney, parseAmount } from "@/domain/money";

export interface FieldComparison {
  readonly field: string;
  /** Undefined: absent, or hidden from this role. */
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** Of a difference in meaning: "+€360.00, ten times the first". Of a difference in form: the rule, "default applied". */
  readonly said?: string | undefined;
}

export interface Comparison {
  readonly meaning: readonly FieldComparison[];
  readonly form: readonly FieldComparison[];
  readonly same: readonly FieldComparison[];
}

/** How a command was written, as far as it is known; never values. */
export interface CommandShape {
  readonly members?: readonly string[] | undefined;
  readonly amount?: "decimal" | "minor" | undefined;
  /** Members that were left out and filled with their default. */
  readonly defaulted?: readonly string[] | undefined;
}

export interface ShapedCommand {
  readonly command: CanonicalCommand;
  readonly shape?: CommandShape | undefined;
}

/** What a command is of, besides its fields. */
const IDENTITY = ["operation", "apiVersion"] as const;

/** Compares two commands of one key field by field: in meaning, in form only, same. */
export function compareCommands(first: ShapedCommand, second: ShapedCommand): Comparison {
  const [one, two] = [first.command, second.command];
  const meaning: FieldComparison[] = [];
  const same: FieldComparison[] = [];
  const form: FieldComparison[] = [];
  for (const field of fieldNames(one, two)) {
    const [a, b] = [one.fields[field] ?? undefined, two.fields[field] ?? undefined];
    const text = difference(field, one, two);
    if (a !== b)
      meaning.push({ field, first: withCurrency(field, a, one), second: withCurrency(field, b, two), said: text });
    else if (a !== undefined && first.shape && second.shape && defaulted(first, field) !== defaulted(second, field))
      form.push(defaultApplied(field, a, first, second));
    else same.push({ field, first: a, second: b });
  }
  form.push(...notation(first.shape, second.shape), ...order(first.shape, second.shape));
  const others = IDENTITY.map((field) => ({ field, first: one[field], second: two[field] }));
  same.push(...others.filter((row) => row.first === row.second && row.first !== ""));
  return { meaning: [...meaning, ...others.filter((row) => row.first !== row.second)], form, same };
}

/** The amount first, then the rest by name. */
function fieldNames(one: CanonicalCommand, two: CanonicalCommand): string[] {
  const names = [...new Set([...Object.keys(one.fields), ...Object.keys(two.fields)])].sort();
  return names.includes("amount") ? ["amount", ...names.filter((name) => name !== "amount")] : names;
}

function withCurrency(field: string, value: string | undefined, command: CanonicalCommand): string | undefined {
  const currency = command.fields["currency"];
  return field === "amount" && value !== undefined && typeof currency === "string" ? `${value} ${currency}` : value;
}

function difference(field: string, one: CanonicalCommand, two: CanonicalCommand): string | undefined {
  const [a, b] = [one.fields[field] ?? undefined, two.fields[field] ?? undefined];
  if (a === undefined) return "only in the second";
  if (b === undefined) return "only in the first";
  return field === "amount" ? amountDifference(one, two) : undefined;
}

/** The two amounts in minor units; undefined when they are not amounts of one currency. */
export function amountsOf(
  one: CanonicalCommand,
  two: CanonicalCommand,
): { first: bigint; second: bigint; currency: string } | undefined {
  const currency = one.fields["currency"];
  if (typeof currency !== "string" || two.fields["currency"] !== currency) return undefined;
  const first = parseAmount(one.fields["amount"] ?? "", currency);
  const second = parseAmount(two.fields["amount"] ?? "", currency);
  return first === undefined || second === undefined ? undefined : { first, second, currency };
}

const RATIOS: readonly (readonly [bigint, string])[] = [
  [2n, "twice"],
  [10n, "ten times"],
  [100n, "a hundred times"],
];

function amountDifference(one: CanonicalCommand, two: CanonicalCommand): string | undefined {
  const amounts = amountsOf(one, two);
  if (amounts === undefined) return undefined;
  const { first, second, currency } = amounts;
  const gap = second - first;
  const text = `${gap > 0n ? "+" : ""}${displayMoney(gap, currency)}`;
  const up = RATIOS.find(([ratio]) => first * ratio === second);
  const down = RATIOS.find(([ratio]) => second * ratio === first);
  if (up) return `${text}, ${up[1]} the first`;
  return down ? `${text}, the first is ${down[1]} as much` : text;
}

function defaulted(side: ShapedCommand, field: string): boolean {
  return side.shape?.defaulted?.includes(field) ?? false;
}

function defaultApplied(field: string, value: string, first: ShapedCommand, second: ShapedCommand): FieldComparison {
  const shown = (side: ShapedCommand) => (defaulted(side, field) ? "absent" : `"${value}"`);
  return { field, first: shown(first), second: shown(second), said: "default applied" };
}

const NOTATION = { decimal: "decimal string", minor: "minor units" } as const;

function notation(first: CommandShape | undefined, second: CommandShape | undefined): FieldComparison[] {
  if (first?.amount === undefined || second?.amount === undefined || first.amount === second.amount) return [];
  const [one, two] = [NOTATION[first.amount], NOTATION[second.amount]];
  return [{ field: "amount, notation", first: one, second: two, said: "both are allowed" }];
}

function order(first: CommandShape | undefined, second: CommandShape | undefined): FieldComparison[] {
  const [a, b] = [first?.members, second?.members];
  if (a === undefined || b === undefined) return [];
  const common = (list: readonly string[], other: readonly string[]): string =>
    list.filter((name) => other.includes(name)).join(", ");
  return common(a, b) === common(b, a)
    ? []
    : [{ field: "key order", first: a.join(", "), second: b.join(", "), said: "not in the fingerprint" }];
}

/** @returns the shape kept with an event (`memberOrder`, `notation`, `defaulted`), as far as it is one. */
export function readShape(value: unknown): CommandShape | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const shape = value as Readonly<Record<string, unknown>>;
  const notation = shape["notation"];
  const amount =
    typeof notation === "object" && notation !== null && "amount" in notation ? notation.amount : undefined;
  return {
    members: names(shape["memberOrder"]),
    defaulted: names(shape["defaulted"]),
    amount: amount === NOTATION.minor ? "minor" : amount === NOTATION.decimal ? "decimal" : undefined,
  };
}

function names(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : undefined;
}
