/** W3C trace context: version, trace id, parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** @returns the trace id of a `traceparent` header, or undefined for none or a bad one, which the standard says to ignore. */
export function traceIdOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, traceId, parentId] = TRACEPARENT.exec(header) ?? [];
  return traceId === undefined || /^0+$/.test(traceId) || /^0+$/.test(parentId ?? "0") ? undefined : traceId;
}
