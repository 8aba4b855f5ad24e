import { buildSearch, readSearch, readWindow, type Parsed, type SearchInput } from "./search";
import type { InboxExportFilters, ReplayOutcomeFilters } from "@/domain/lists/filters";

/** Of one operation: by its id, or by its key where that stands for one only. */
export interface RetryLogFilters {
  readonly operationId?: string | undefined;
  readonly key?: string | undefined;
  /** Which operation of the key, by name. */
  readonly operation?: string | undefined;
}

export function parseRetryLogFilters(search: SearchInput): Parsed<RetryLogFilters> {
  const reader = readSearch(search);
  const parsed = reader.done({
    operationId: reader.uuid("operationId"),
    key: reader.text("key"),
    operation: reader.text("operation"),
  });
  const { operationId, key } = parsed.filters;
  if ((operationId === undefined) !== (key === undefined) || parsed.problems.length > 0) return parsed;
  return { ...parsed, problems: [{ name: "operationId", detail: "name one operation by operationId or by key" }] };
}

export function parseReplayOutcomeFilters(search: SearchInput): Parsed<ReplayOutcomeFilters> {
  const reader = readSearch(search);
  return reader.done({ operation: reader.text("operation"), client: reader.text("client"), ...readWindow(reader) });
}

export function parseInboxExportFilters(search: SearchInput): Parsed<InboxExportFilters> {
  const reader = readSearch(search);
  return reader.done({
    consumer: reader.text("consumer"),
    source: reader.text("source"),
    messageId: reader.text("messageId"),
    ...readWindow(reader),
  });
}

/** @returns the address of an export, with the tenant that is looked at. */
export function exportHref(
  name: string,
  tenant: string,
  filters: Readonly<Record<string, string | undefined>>,
): string {
  return `/api/v1/admin/exports/${name}${buildSearch({ ...filters, tenant })}`;
}
