import type { EngineContext } from "../context";

/** How long bodies of one tenant are kept. */
export interface BodyRetention {
  /** Hours, of every operation that is not in `ttls`. */
  readonly bodyTtlHours: number;
  /** Hours by operation, where the tenant decided otherwise. */
  readonly ttls: Readonly<Record<string, number>>;
  readonly longestHours: number;
}

/** @returns what the deployment and the tenant's policies say about bodies. */
export async function bodyRetention(ctx: EngineContext): Promise<BodyRetention> {
  const { bodyTtlHours } = ctx.config;
  const ttls: Record<string, number> = {};
  for (const [operation, overrides] of await ctx.policies.overridesOf(ctx.tenantId))
    if (overrides.bodyTtlHours !== undefined) ttls[operation] = overrides.bodyTtlHours;
  return { bodyTtlHours, ttls, longestHours: Math.max(bodyTtlHours, ...Object.values(ttls)) };
}
