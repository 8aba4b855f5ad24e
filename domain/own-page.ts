import { UUID } from "./uuid";

const PAGES = ["operations", "outbox", "inbox", "plans"] as const;

/** @returns what a path like `/operations/{id}` or `/operations/{id}/proof` shows; undefined for every other page. */
export function ownPage(path: string): { readonly page: (typeof PAGES)[number]; readonly id: string } | undefined {
  const [start, name, id = "", proof, ...rest] = path.toLowerCase().replace(/\/$/, "").split("/");
  const page = PAGES.find((each) => each === name);
  const shows = start === "" && UUID.test(id) && (proof === undefined || proof === "proof") && rest.length === 0;
  return page !== undefined && shows ? { page, id } : undefined;
}
