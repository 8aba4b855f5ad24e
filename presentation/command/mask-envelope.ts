import { maskDocument, type MaskedField } from "./mask";

/** Attributes that we write ourselves around the data of an event: no more than the lists show. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  "corrects",
  "datacontenttype",
  "sequence",
  "source",
  "specversion",
  "subject",
  "time",
  "traceparent",
]);

/** @returns the fields of an event of ours; what is inside `data` is masked as everywhere. */
export function maskEnvelope(document: unknown): readonly MaskedField[] {
  const members = new Map(typeof document === "object" && document !== null ? Object.entries(document) : []);
  return maskDocument(document).map((field) => {
    const text: unknown = members.get(field.name);
    return ATTRIBUTES.has(field.name) && typeof text === "string"
      ? { name: field.name, value: text, masked: false }
      : field;
  });
}
