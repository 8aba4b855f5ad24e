const OWN_PAGE = /^\/(operations|outbox|inbox|plans)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/proof)?\/?$/i;
const PAGES = ["operations", "outbox", "inbox", "plans"] as const;

/** @returns what a path like `/operations/{id}` or `/operations/{id}/proof` shows; undefined for every other page. */
export function ownPage(path: string): { readonly page: (typeof PAGES)[number]; readonly id: string } | undefined {
  const [, name, id] = OWN_PAGE.exec(path) ?? [];
  const page = PAGES.find((each) => each === name?.toLowerCase());
  return page === undefined || id === undefined ? undefined : { page, id: id.toLowerCase() };
}
