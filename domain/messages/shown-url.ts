/** What stands for a secret. */
const MASK = "***";
const URL_INSIDE = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`]+/gi;
/** Longest query that is shown by its names. */
const MOST_NAMES = 20;

/**
 * An address as people, logs, files and the audit get it: without user and password, and its query by its names alone, because
 * receivers put their tokens there.
 *
 * @returns `https://shop.example/hooks?token=***`; of what is no address {@link MASK} alone
 */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return MASK;
  const url = new URL(text);
  const { protocol, host, pathname, searchParams } = url;
  const login = url.username !== "" || url.password !== "" ? `${MASK}@` : "";
  // A name without a value may be the token itself.
  const names = [...new Set([...searchParams].map(([name, value]) => (value === "" ? "" : name)))];
  const query = names.slice(0, MOST_NAMES).map((name) => (name === "" ? MASK : `${encodeURIComponent(name)}=${MASK}`));
  const more = names.length > MOST_NAMES ? [MASK] : [];
  const authority = protocol === "mailto:" ? "" : "//";
  return `${protocol}${authority}${login}${host}${pathname}${query.length > 0 ? `?${[...query, ...more].join("&")}` : ""}`;
}

/** @returns a text of somebody else, such as an error, with every address in it as {@link shownUrl} has it */
export function withShownUrls(text: string): string {
  return text.replace(URL_INSIDE, (url) => shownUrl(url));
}
