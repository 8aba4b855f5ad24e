import { sampleGauges } from "@/db/statements/sample-gauges";
import type { EngineContext } from "./context";

/** Samples what is open now into the current minute; twice a minute is the same sample. @returns how many gauges. */
export async function measure(ctx: EngineContext): Promise<number> {
  return sampleGauges(ctx.db.pool, ctx.tenantId);
}
