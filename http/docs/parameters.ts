import { filtersOf, MAX_FILTER_TEXT, type FilterNote } from "@/presentation/filters/search";
import type { FilterParser } from "../declare";
import type { JsonSchema } from "./schemas";

/** What one filter takes; `many` is repeated, or separated by commas. */
const SCHEMAS: Readonly<Record<FilterNote["kind"], (note: FilterNote) => JsonSchema>> = {
  text: () => ({ type: "string", maxLength: MAX_FILTER_TEXT }),
  many: ({ values = [] }) => ({ type: "array", items: { enum: [...values] } }),
  choice: ({ values = [], otherwise }) => ({
    enum: [...values],
    ...(otherwise !== undefined && { default: otherwise }),
  }),
  flag: () => ({ type: "boolean" }),
  time: () => ({ type: "string", format: "date-time" }),
  amount: () => ({ type: "string", examples: ["12.50"] }),
  uuid: () => ({ type: "string", format: "uuid" }),
};

/** @returns the filters of a list as query parameters: what its parser asks for */
export function filterParameters(parse: FilterParser): JsonSchema[] {
  return [...filtersOf(parse)].map(([name, note]) => ({
    name,
    in: "query",
    required: false,
    schema: SCHEMAS[note.kind](note),
  }));
}
