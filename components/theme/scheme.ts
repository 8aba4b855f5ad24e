/** Light, dark, or what the system says. */
export const SCHEMES = ["light", "dark", "system"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The person's choice, so that the first answer of the server has it already: no flash, no script. */
export const SCHEME_COOKIE = "ob_scheme";

/** @returns the choice, `system` where there is none or one that is not known. */
export function readScheme(value: string | undefined): Scheme {
  return SCHEMES.find((scheme) => scheme === value) ?? "system";
}
