import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

export const text = { type: "string" } as const;
export const time = { type: "string", format: "date-time", description: "RFC 3339, UTC" } as const;
export const uuid = { type: "string", format: "uuid" } as const;

export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

/** @param optional members that may be missing */
export function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

/** What is sent is described by the very contracts that check it. */
export function input(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}
