import { text, timestamp } from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

/** Who owns keys. A tenant has one home region. */
export const tenants = onceboard.table("tenants", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  homeRegion: text("home_region").notNull().default("local"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});
