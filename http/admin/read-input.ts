import type { Context } from "hono";
import { AppError } from "@/domain/errors";
import { parserOf, type FilterProblem, type Parsed, type SearchInput } from "@/presentation/filters/search";
import type { AdminEnv } from "../env";

/** All query parameters, repeated ones as lists. */
export function searchOf(c: Context<AdminEnv>): SearchInput {
  return c.req.queries();
}

/** @throws AppError `validation.filter` 400 that names each filter that is unknown or has a value that cannot be read */
export function understood<Filters>(parsed: Parsed<Filters>): Parsed<Filters> {
  if (parsed.problems.length > 0) throw badFilters(parsed.problems);
  return parsed;
}

export function badFilters(problems: readonly FilterProblem[]): AppError {
  const names = [...new Set(problems.map((problem) => problem.name))];
  return new AppError("validation.filter", 400, "A filter was not understood", {
    detail: problems.map((problem) => `${problem.name}: ${problem.detail}`).join("; "),
    extensions: { filters: names },
  });
}

/** For lists without filters. */
export const cursorOnly = parserOf({});

/** @throws AppError `validation.filter` 400 when it is missing */
export function requiredQuery(c: Context<AdminEnv>, name: string): string {
  const value = c.req.query(name);
  if (value === undefined) throw badFilters([{ name, detail: "is missing" }]);
  return value;
}

/** @throws AppError `<what>.not_found` 404 */
export function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new AppError(`${what}.not_found`, 404, "Nothing here has this id");
  return value;
}
