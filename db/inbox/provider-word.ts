import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** The inbox's messages under an alias. */
type Row = Readonly<Record<"payload" | "providerKey" | "providerStatus", PgColumn>>;

/** The provider's own key that an event names, whether its payload is sealed or in clear. */
export const saidKey = (m: Row): SQL<string | null> =>
  sql<string | null>`coalesce(${m.providerKey}, ${m.payload} -> 'data' ->> 'providerKey')`;

/** The provider's word of its object, of an event that {@link isSaid}. */
export const saidStatus = (m: Row): SQL<string | null> =>
  sql<string | null>`coalesce(${m.providerStatus}, ${m.payload} -> 'data' ->> 'status')`;

/** Whether a provider says it: only a provider names its own key; our own events do not. */
export const isSaid = (m: Row): SQL => sql`(${m.providerKey} is not null or ${m.payload} -> 'data' ? 'providerKey')`;
