import { sql } from "drizzle-orm";
import { customType, pgSchema } from "drizzle-orm/pg-core";

/** Every table lives in this schema, so that it can stand beside a service's own tables. */
export const onceboard = pgSchema("onceboard");

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Words of a check constraint, as SQL. */
export const checkWords = (words: readonly string[]) => sql.raw(words.map((word) => `'${word}'`).join(", "));
