/**
 * Canonical form of a validated command, in the manner of RFC 8785: members sorted by UTF-16 code units, no white space,
 * numbers and strings as ECMAScript writes them. Amounts are strings of minor units before they get here, so no float is
 * ever compared. What is hashed is the command, never the HTTP body.
 */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined };

/** @returns the canonical text. Undefined members are left out. @throws TypeError for numbers that JSON cannot hold. */
export function canonicalize(value: CanonicalValue): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("a canonical number must be finite");
    return JSON.stringify(value);
  }
  if (isList(value)) return `[${value.map((item) => canonicalize(item)).join(",")}]`;
  let members = "";
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonicalize(member)}`;
  }
  return `{${members}}`;
}

function isList(value: CanonicalValue): value is readonly CanonicalValue[] {
  return Array.isArray(value);
}

/** Values of a command by field; amounts are decimal texts of minor units. */
export type CanonicalFields = Readonly<Record<string, string | null>>;

/** A command as it is fingerprinted and stored: its own fields beside the operation and the API version. */
export interface CanonicalCommand {
  readonly operation: string;
  readonly apiVersion: string;
  readonly fields: CanonicalFields;
}

/** @returns text of the whole command, for the fingerprint. */
export function canonicalCommand(command: CanonicalCommand): string {
  return canonicalize({ operation: command.operation, apiVersion: command.apiVersion, fields: command.fields });
}

/** What is kept, sealed, of a first command. */
export interface StoredCommand extends CanonicalCommand {
  /** Of the arguments as they were sent, where somebody who sends other ones is told it. */
  readonly argumentsHash?: string | undefined;
}

/** @returns text of the whole command, for idempotency_bodies. */
export function storedCommand(command: StoredCommand): string {
  const { operation, apiVersion, fields, argumentsHash } = command;
  return canonicalize({ operation, apiVersion, fields, argumentsHash });
}

/** @returns names of fields that differ between two stored commands, sorted; `operation` and `apiVersion` count as names. */
export function differingFields(first: CanonicalCommand, second: CanonicalCommand): string[] {
  const names = new Set([...Object.keys(first.fields), ...Object.keys(second.fields)]);
  const differing = [...names].filter((name) => (first.fields[name] ?? null) !== (second.fields[name] ?? null));
  if (first.operation !== second.operation) differing.push("operation");
  if (first.apiVersion !== second.apiVersion) differing.push("apiVersion");
  return differing.sort();
}

/** @throws SyntaxError when the text is not a stored command. */
export function parseCanonicalCommand(text: string): StoredCommand {
  const value: unknown = JSON.parse(text);
  if (
    typeof value === "object" &&
    value !== null &&
    "operation" in value &&
    "apiVersion" in value &&
    "fields" in value
  ) {
    const { operation, apiVersion, fields } = value;
    const hash = "argumentsHash" in value && typeof value.argumentsHash === "string" ? value.argumentsHash : undefined;
    if (
      typeof operation === "string" &&
      typeof apiVersion === "string" &&
      typeof fields === "object" &&
      fields !== null
    ) {
      return {
        operation,
        apiVersion,
        fields: Object.fromEntries(
          Object.entries(fields).map(([name, field]) => [name, field === null ? null : String(field)]),
        ),
        ...(hash !== undefined && { argumentsHash: hash }),
      };
    }
  }
  throw new SyntaxError("not a stored command");
}
