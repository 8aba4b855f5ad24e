import { z } from "zod";

export const MAX_PORT = 65_535;

/** A whole number within bounds; the sentence names both bounds, never the value. */
export function whole(min: number, max: number, fallback: number): z.ZodType<number> {
  const text = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number)
    .refine((value) => value >= min && value <= max, text)
    .optional()
    .transform((value) => value ?? fallback);
}

export function hasProtocol(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

export function address(...protocols: readonly string[]): z.ZodString {
  const text = `must be a URL that begins with ${protocols.join("// or ")}//`;
  return z.string().refine((value) => hasProtocol(value, protocols), text);
}

/** Several of them, separated by commas. */
export function addresses(...protocols: readonly string[]): z.ZodString {
  const text = `must be URLs that begin with ${protocols.join("// or ")}//, separated by commas`;
  return z.string().refine((value) => value.split(",").every((each) => hasProtocol(each.trim(), protocols)), text);
}

export function oneOf<const Value extends string>(...values: readonly Value[]) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

/** Off unless it is said. */
export function flag() {
  return z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .transform((text) => text === "true");
}

/** Words that commas separate. */
export const listed = z.string().transform((text) => text.split(",").flatMap((entry) => entry.trim() || []));

export const web = address("http:", "https:");
export const webOrigin = web.transform((text) => new URL(text).origin);
/** As a collector's own documents have it: a path may follow the origin. */
export const webAddress = web.transform((text) => text.replace(/\/+$/, ""));

/** None unless it is said. */
export const optionalPort = whole(0, MAX_PORT, 0).transform((port) => (port === 0 ? undefined : port));
