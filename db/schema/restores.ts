import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** A row each time that the database was brought back from a backup (mark_restored), so that what was lost is not done twice. */
export const restores = onceboard.table(
  "restores",
  {
    id: uuid("id").primaryKey(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** Until then a key that may have been used before is not taken for a new one. */
    holdUntil: timestamp("hold_until", { withTimezone: true }).notNull(),
    actor: text("actor").notNull(),
    /** What it changed, in numbers. */
    detail: jsonb("detail").notNull(),
  },
  (table) => [index("restores_hold").on(table.holdUntil)],
);

/** Which database this is, as it was when its owner last said so. Another one is a copy: nothing works on it until `restored` says what it is. */
export const databasePlace = onceboard.table(
  "database_place",
  {
    onlyRow: boolean("only_row").notNull().default(true),
    /** The server's system identifier and the database's number. */
    place: text("place").notNull(),
    notedAt: timestamp("noted_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.onlyRow] }), check("database_place_only_row", sql`${table.onlyRow}`)],
);
