import { parse } from "yaml";
import { z } from "zod";

const SERVICE = z.object({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  build: z.object({ dockerfile: z.string(), target: z.string() }).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().default(false) }).optional(),
  volumes: z.array(z.string()).default([]),
});
const FILE = z.object({ services: z.record(z.string(), SERVICE) });
const VARIABLE = /\$\{(\w+)(?::\?|:-([^}]*))\}/g;

export type ComposeService = z.infer<typeof SERVICE>;

/**
 * @param text of a compose file
 * @param env what stands in `.env`
 * @throws Error when it names a variable that is not set and must be
 */
export function readCompose(text: string, env: Readonly<Record<string, string>>): Record<string, ComposeService> {
  const filled = text.replaceAll(VARIABLE, (whole, name: string, otherwise: string | undefined) => {
    const value = env[name] ?? otherwise;
    if (value === undefined) throw new Error(`${whole} is not set`);
    return value;
  });
  return FILE.parse(parse(filled, { merge: true })).services;
}
