import type { Constant, Preset } from "../contract/preset";
import { quoteText } from "../contract/tables";

/** Values by name, as somebody wrote them. */
export type ConstantValues = Readonly<Record<string, string>>;

const VALID: Readonly<Record<Constant["kind"], { readonly pattern: RegExp; readonly says: string }>> = {
  integer: { pattern: /^\d{1,9}$/, says: "a whole number" },
  zone: { pattern: /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/, says: "a time zone such as Europe/Berlin" },
  interval: { pattern: /^\d{1,6} (second|minute|hour|day)s?$/, says: "a duration such as 24 hours" },
  boolean: { pattern: /^(true|false)$/, says: "true or false" },
};

const CAST: Readonly<Record<Constant["kind"], string>> = {
  integer: "integer",
  zone: "text",
  interval: "interval",
  boolean: "boolean",
};

/**
 * The constants of a preset as SQL literals, defaults filled in.
 *
 * @throws Error in one sentence for a name that is none, a value that cannot be, or one that only the owner knows and did not say
 */
export function constantLiterals(
  preset: Pick<Preset, "title" | "constants">,
  given: ConstantValues,
): Readonly<Record<string, string>> {
  const unknown = Object.keys(given).find((name) => !(name in preset.constants));
  if (unknown !== undefined) throw new Error(`${preset.title} has no constant ${unknown}.`);
  return Object.fromEntries(
    Object.entries(preset.constants).map(([name, constant]) => {
      const value = given[name] ?? constant.default;
      if (value === undefined) throw new Error(`${name} is not given: ${constant.says}`);
      const { pattern, says } = VALID[constant.kind];
      if (!pattern.test(value)) throw new Error(`${name} has to be ${says}.`);
      return [name, `${quoteText(value)}::${CAST[constant.kind]}`];
    }),
  );
}
