import { readFileSync } from "node:fs";
import { z } from "zod";

/** API clients of the demo and their keys. */
export const trafficKeys = z.array(z.object({ tenant: z.string(), name: z.string(), key: z.string() }));
export type TrafficKey = z.output<typeof trafficKeys>[number];

/** @throws when the file is missing or is not a list of {tenant, name, key} */
export function readKeys(path: string): TrafficKey[] {
  const keys = trafficKeys.nonempty().safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (keys.data === undefined) throw new Error(`${path} must be a list of {tenant, name, key}.`);
  return keys.data;
}
