import type { Queryable } from "../client";

/** Limits each further statement of the open transaction. Not awaited: the connection keeps the order. @param ms whole milliseconds */
export function limitStatements(tx: Queryable, ms: number): void {
  tx.query({ text: `set local statement_timeout = ${String(Math.trunc(ms))}` }).catch(() => undefined);
}
