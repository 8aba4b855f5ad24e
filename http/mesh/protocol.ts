/** Names of the mesh protocol and of the one extension that this server knows. */
export const PROTOCOL = { name: "mesh", version: "0.1.0" } as const;
export const IDEMPOTENCY_URN = "urn:mesh:ext:idempotency";

/** A length of time as mesh writes it. */
export interface MeshDuration {
  readonly value: number;
  readonly unit: (typeof DURATION_UNITS)[number];
}

export const DURATION_UNITS = ["second", "minute", "hour", "day"] as const;
const SECONDS: Readonly<Record<MeshDuration["unit"], number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };

export function secondsOf({ value, unit }: MeshDuration): number {
  return value * SECONDS[unit];
}

export function inSeconds(seconds: number): MeshDuration {
  return { value: seconds, unit: "second" };
}
