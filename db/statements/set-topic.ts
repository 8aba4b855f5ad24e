import type { Queryable } from "@/db/client";

export interface TopicSettings {
  readonly tenantId: string;
  readonly topic: string;
  /** The version that the caller saw; 0: there was no row. */
  readonly version: number;
  readonly transport: string | undefined;
  readonly destination: string | undefined;
  readonly paused: boolean;
  readonly reason: string;
  readonly actor: string;
}

export interface TopicRow {
  readonly topic: string;
  readonly transport: string | null;
  readonly destination: string | null;
  readonly paused_at: Date | null;
  readonly paused_by: string | null;
  readonly pause_reason: string | null;
  readonly version: number;
}

/** @returns the topic as it is now, or undefined when somebody changed it since the caller looked: nothing was written. */
export async function setTopic(db: Queryable, input: TopicSettings): Promise<TopicRow | undefined> {
  const { rows } = await db.query<TopicRow>({
    name: "set_topic",
    text: "select topic, transport, destination, paused_at, paused_by, pause_reason, version from onceboard.set_topic($1,$2,$3,$4,$5,$6,$7,$8)",
    values: [
      input.tenantId,
      input.topic,
      input.version,
      input.transport,
      input.destination,
      input.paused,
      input.reason,
      input.actor,
    ],
  });
  return rows[0];
}
