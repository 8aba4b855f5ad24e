import type { Queryable } from "../client";

/** Limits each further statement of the open transaction. @param ms whole milliseconds */
export async function limitStatements(tx: Queryable, ms: number): Promise<void> {
  await tx.query({ text: `set local statement_timeout = ${String(Math.trunc(ms))}` });
}
