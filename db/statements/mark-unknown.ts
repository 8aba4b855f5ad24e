import type { Queryable } from "@/db/client";

export interface MarkUnknownInput {
  readonly tenantId: string;
  readonly operationId: string;
  readonly fence: number;
  readonly errorCode: string | undefined;
  /** What the last look-up said, for the attention queue. */
  readonly finding: string | undefined;
  /** Whether a look-up was made (it counts). */
  readonly checked: boolean;
  /** Undefined: no more look-ups by itself. */
  readonly nextCheckMs: number | undefined;
}

/** The outcome is not known: gives the lease up and plans the next look-up. @returns false when fenced. */
export async function markUnknown(db: Queryable, input: MarkUnknownInput): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "mark_unknown",
    text: "select onceboard.mark_unknown($1,$2,$3,$4,$5,$6,$7) as done",
    values: [
      input.tenantId,
      input.operationId,
      input.fence,
      input.errorCode,
      input.finding,
      input.checked,
      input.nextCheckMs === undefined ? undefined : Math.round(input.nextCheckMs),
    ],
  });
  return rows[0]?.done === true;
}
