import type { Queryable } from "@/db/client";
import { namedCall } from "./named-call";

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
  const { call, values } = namedCall("mark_unknown", {
    tenant: input.tenantId,
    operation_id: input.operationId,
    fence: input.fence,
    error_code: input.errorCode,
    finding: input.finding,
    checked: input.checked,
    next_check_ms: input.nextCheckMs === undefined ? undefined : Math.round(input.nextCheckMs),
  });
  const { rows } = await db.query<{ done: boolean }>({
    name: "mark_unknown",
    text: `select ${call} as done`,
    values,
  });
  return rows[0]?.done === true;
}
