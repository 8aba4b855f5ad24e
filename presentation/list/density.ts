/** How high the rows of lists are: 36 or 30 px, kept per person. */
export const DENSITIES = ["standard", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

/** Holds it in the browser, so that the server's first bytes have the right rows. */
export const DENSITY_COOKIE = "ob_density";

/** @returns `standard` for everything else. */
export function readDensity(value: string | undefined): Density {
  return value === "compact" ? "compact" : "standard";
}
