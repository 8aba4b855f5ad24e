import type { CommandBody } from "@/engine/module/route";
import type { ParsedJson } from "../body/parse-json";

const MAX_MEMBERS = 32;

/**
 * How a command was written, for the conflicts page, which separates noise from meaning. Names only, never a value.
 * @param body says which members are amounts and which have a default
 */
export function shapeOf(
  { value }: ParsedJson,
  { amounts = [], defaulted = [] }: Pick<CommandBody<unknown>, "amounts" | "defaulted">,
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return { memberOrder: [] };
  const members = value as Readonly<Record<string, unknown>>;
  const notation = amounts
    .filter((name) => members[name] !== undefined)
    .map((name) => [name, typeof members[name] === "number" ? "minor units" : "decimal string"] as const);
  return {
    memberOrder: Object.keys(value).slice(0, MAX_MEMBERS),
    notation: Object.fromEntries(notation),
    defaulted: defaulted.filter((name) => !(name in members)),
  };
}
