import { readFileSync } from "node:fs";

/** One API client of the demo and its key. */
export interface TrafficKey {
  readonly tenant: string;
  readonly name: string;
  readonly key: string;
}

/**
 * @param path JSON: `[{"tenant":"acme","name":"till-web","key":"…"}]`
 * @throws when the file is missing or has another shape.
 */
export function readKeys(path: string): TrafficKey[] {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!Array.isArray(value) || value.length === 0) throw new Error(`${path} must be a list of {tenant, name, key}.`);
  return value.map((entry: unknown) => {
    const fields: Record<string, unknown> = typeof entry === "object" && entry !== null ? { ...entry } : {};
    const { tenant, name, key } = { tenant: fields["tenant"], name: fields["name"], key: fields["key"] };
    if (typeof tenant !== "string" || typeof name !== "string" || typeof key !== "string") {
      throw new Error(`${path}: every entry needs tenant, name and key.`);
    }
    return { tenant, name, key };
  });
}
