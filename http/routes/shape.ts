import type { ParsedJson } from "../body/parse-json";

/** Members that have a default, by name. */
const DEFAULTED = ["channel"];
const MAX_MEMBERS = 32;

/**
 * How a command was written, for the conflicts page: noise is told apart from meaning there. Names only, never a value.
 */
export function shapeOf({ value }: ParsedJson): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return { memberOrder: [] };
  const memberOrder = Object.keys(value).slice(0, MAX_MEMBERS);
  const amount: unknown = "amount" in value ? value.amount : undefined;
  return {
    memberOrder,
    notation: amount === undefined ? {} : { amount: typeof amount === "number" ? "minor units" : "decimal string" },
    defaulted: "amount" in value ? DEFAULTED.filter((name) => !(name in value)) : [],
  };
}
