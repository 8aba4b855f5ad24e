import type { Queryable } from "@/db/client";

/** Notes that keys were used in the minute that runs; one that is noted already is left alone. */
export async function touchApiKeys(db: Queryable, keyIds: readonly string[]): Promise<void> {
  await db.query({
    name: "touch_api_keys",
    text: `update onceboard.api_keys set last_used_at = date_trunc('minute', clock_timestamp())
            where id = any ($1) and (last_used_at is null or last_used_at < date_trunc('minute', clock_timestamp()))`,
    values: [[...keyIds]],
  });
}
