import { canonicalize, type CanonicalFields, type CanonicalValue } from "@/domain/idempotency/canonical";
import { UsageError } from "../usage-error";

/** A text that can be the beginning of JSON. */
const LIKE_JSON = /^[\s]*[-0-9"{[tfn]/;

/**
 * A command as the engine fingerprints and keeps it: each member as a text. A string stands as it is unless it reads as JSON; then it has
 * its quotes, so that `"10"` and `10` stay two commands. A member that is undefined is left out.
 *
 * @throws UsageError `command.value` for what JSON cannot hold: two different commands must never look the same
 */
export function commandFields(command: object): CanonicalFields {
  const given: unknown = command;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new UsageError("command.value", "A command is an object of named members.");
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(command)) {
    if (value !== undefined) fields[name] = textOf(name, value);
  }
  return fields;
}

function textOf(name: string, value: unknown): string {
  try {
    const json = plain(value);
    return typeof json === "string" && !isJson(json) ? json : canonicalize(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new UsageError("command.value", `The member ${name} of the command cannot be compared: ${reason}`);
  }
}

function isJson(text: string): boolean {
  if (!LIKE_JSON.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function plain(value: unknown): CanonicalValue {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "object":
      return value === null ? null : plainObject(value);
    default:
      throw new TypeError(`a ${typeof value} is no JSON`);
  }
}

function plainObject(value: object): CanonicalValue {
  if ("toJSON" in value && typeof value.toJSON === "function") return plain((value.toJSON as () => unknown)());
  if (Array.isArray(value)) return value.map((item) => plain(item ?? null));
  const prototype: unknown = Object.getPrototypeOf(value);
  // A Map or a Set would look like an empty object, whatever is in it.
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError("an object of a class is no JSON");
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}
