import { randomUUID } from "node:crypto";
import { textOf, valueOf } from "../cross-tenant/probes";
import type { ProbeTarget } from "../cross-tenant/routes";
import type { Random } from "../cross-tenant/random";

/** A body that the schema of the route allows. */
export function bodyFor({ body }: ProbeTarget, random: Random): unknown {
  if (body === undefined) return {};
  return valueOf(body, { random, text: (format) => textOf(format, randomUUID, random) });
}

/** The path with an id in each of its places. */
export function targetFor({ path }: ProbeTarget, random: Random, id: () => string = randomUUID): string {
  return path.replaceAll(/:\w+|\[\w+\]/g, () => (random.below(4) === 0 ? "acc_1" : id()));
}
