import type { Queryable } from "@/db/client";

export interface CompleteInput {
  readonly tenantId: string;
  readonly operationId: string;
  readonly fence: number;
  readonly state: "COMPLETED" | "FAILED_REPLAYABLE";
  readonly status: number;
  readonly schemaVersion: string;
  readonly resourceType: string | undefined;
  readonly resourceId: string | undefined;
  readonly errorCode: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodySealed: Buffer;
}

/** Settles an operation with its answer. @returns false when the fence is not ours any more: roll back. */
export async function complete(db: Queryable, input: CompleteInput): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "complete",
    text: "select onceboard.complete($1,$2,$3,$4,$5::smallint,$6,$7,$8,$9,$10::jsonb,$11) as done",
    values: [
      input.tenantId,
      input.operationId,
      input.fence,
      input.state,
      input.status,
      input.schemaVersion,
      input.resourceType,
      input.resourceId,
      input.errorCode,
      JSON.stringify(input.headers),
      input.bodySealed,
    ],
  });
  return rows[0]?.done === true;
}
