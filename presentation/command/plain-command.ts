import {
  canonicalize,
  parseCanonicalCommand,
  type CanonicalCommand,
  type CanonicalValue,
} from "@/domain/idempotency/canonical";

/**
 * A command as a service of another language stored it in the open: in our form, or any JSON object, whose members are its
 * fields (docs/SQL-CONTRACT.md, Bodies).
 * @throws SyntaxError when the text is no JSON object
 */
export function parsePlainCommand(text: string, operation: string): CanonicalCommand {
  try {
    return parseCanonicalCommand(text);
  } catch {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("not a JSON object");
    const fields = Object.entries(value as Readonly<Record<string, CanonicalValue>>).map(
      ([name, field]): [string, string | null] => [
        name,
        field === null || typeof field === "string" ? field : canonicalize(field),
      ],
    );
    return { operation, apiVersion: "", fields: Object.fromEntries(fields) };
  }
}
