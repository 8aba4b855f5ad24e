import type { NamedText } from "../views/messages";

/** Shown to everybody who may read messages. Any other header is only counted: it may be a signature, or nobody knows what it is. */
const SHOWN: readonly string[] = [
  "ce-id",
  "ce-source",
  "content-type",
  "corrects",
  "envelope",
  "nats-msg-id",
  "notification",
  "onceboard-corrects",
  "onceboard-source",
  "onceboard-tenant",
  "request-id",
  "traceparent",
  "webhook-id",
  "webhook-timestamp",
];
const MAX_TEXT = 200;

/** @returns headers of the allow-list in its order, and how many others there are. */
export function shownHeaders(headers: Readonly<Record<string, unknown>>): {
  readonly headers: readonly NamedText[];
  readonly hiddenHeaders: number;
} {
  const known = SHOWN.filter((name) => headers[name] !== undefined && headers[name] !== "");
  return {
    headers: known.map((name) => ({ name, value: textOf(headers[name]) })),
    hiddenHeaders: Object.keys(headers).length - known.length,
  };
}

function textOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_TEXT);
}
