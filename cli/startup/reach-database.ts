import { createDatabase } from "@/db/client";
import { readiness } from "@/db/readiness";
import { OWNER_NOTE } from "@/engine/guard-note";
import type { Container } from "@/http/env";

/** @throws Error in one sentence, without the address's password, when the database does not let us in. */
export async function reachDatabase(url: string): Promise<void> {
  const db = createDatabase({ url, max: 1, applicationName: "onceboard start" });
  try {
    await db.pool.query({ text: "select 1" });
  } catch (error) {
    const { host, pathname } = new URL(url);
    const reason = error instanceof Error && error.message !== "" ? error.message : "no answer";
    throw new Error(`The database of DATABASE_URL (${host}${pathname}) cannot be used: ${reason}.`, { cause: error });
  } finally {
    await db.close();
  }
}

/** Says once in the log of a process that its login could leave the app's role. The process works all the same. */
export function warnOfOwner({ db, log }: Pick<Container, "db" | "log">): void {
  readiness(db.pool).then(
    ({ guard, owner }) => {
      if (guard && owner) log.warn({ reason: OWNER_NOTE }, "the login of the processes owns the tables");
    },
    // A database that does not answer now is said elsewhere.
    () => undefined,
  );
}
