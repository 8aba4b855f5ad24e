import { v7 as uuidv7 } from "uuid";
import { postJson } from "@/components/feedback/post-json";
import type { Zone } from "@/domain/time-zone";

/** Keeps the zone with the person. Never throws. @returns whether it is kept */
export async function keepZone(tenant: string, zone: Zone): Promise<boolean> {
  const headers = { "Idempotency-Key": uuidv7(), "onceboard-tenant": tenant };
  const answer = await postJson("/api/v1/admin/time-zone", { zone }, headers);
  return answer?.ok === true;
}
