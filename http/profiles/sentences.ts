import { bodyFindingsOf, type ErrorView } from "./error-view";

/** Values of a refusal that a caller needs, as a sentence each: for error formats that have no members of their own. */
const SENTENCES: Readonly<Record<string, (value: unknown, all: ErrorView["extensions"]) => string>> = {
  resource: (value) => (isResource(value) ? `It made the ${value.type} ${value.id}.` : ""),
  paymentId: (value) => `The first payment is ${String(value)}.`,
  refundId: (value) => `The first refund is ${String(value)}.`,
  remaining: (value, { currency }) => `Left are ${String(value)} ${String(currency)}.`,
  homeRegion: (value) => `Its home region is ${String(value)}.`,
  declineCode: (value) => `The reason is ${String(value)}.`,
};

/** @returns the text of a refusal, with the facts that other error formats carry in members of their own. */
export function messageInWords(view: ErrorView): string {
  const { extensions } = view;
  const facts = Object.entries(SENTENCES).flatMap(([name, say]) =>
    extensions[name] === undefined ? [] : [say(extensions[name], extensions)],
  );
  return [sentencesOf(view), ...facts].join(" ").trim();
}

/** @returns the title, and what it means where there is more to say. */
export function sentencesOf({ title, message }: ErrorView): string {
  return [...new Set([title, message])].map(ended).join(" ");
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** @returns what was wrong with the body, a text for each member; empty for every other refusal. */
export function findingsInWords(view: ErrorView): string[] {
  return bodyFindingsOf(view).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
}

function isResource(value: unknown): value is { readonly type: string; readonly id: string } {
  return typeof value === "object" && value !== null && "type" in value && "id" in value;
}
