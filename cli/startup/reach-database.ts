import { createDatabase } from "@/db/client";

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
