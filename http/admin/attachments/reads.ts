import type { Hono } from "hono";
import { listSource, readSourceRow } from "@/console/sources/list-source";
import { readSourceInFlight } from "@/console/sources/read-in-flight";
import { readSource } from "@/console/sources/read-source";
import { UUID } from "@/domain/uuid";
import { parseAnySourceFilters, parseSourceRange } from "@/presentation/filters/sources";
import { SOURCE_VIEWS, type SourceViewName } from "@/presentation/views/sources";
import type { AdminEnv } from "../../env";
import { list, read, type AdminCall } from "../declare";

export const READ_ERRORS = [
  "attach.host_not_allowed",
  "attach.unreachable",
  "attach.read_failed",
  "attach.not_installed",
  "attach.manifest",
];

/** What the pages of an attached database show, as JSON. */
export function registerAttachmentReads(app: Hono<AdminEnv>): void {
  const rows = {
    id: "listAttachedRows",
    summary: "A page of a list of an attached database, or why it is not shown",
    filters: parseAnySourceFilters,
    paged: true,
    notFound: "attachment",
    errors: READ_ERRORS,
  };
  list(app, "attachments.read", "/attachments/:id/rows/:view", rows, async (ctx, { filters, cursor }, c) => {
    const view = listOf(c);
    const by = attachmentOf(c);
    return view && by && listSource(ctx, by, { view, cursor, state: filters.state });
  });
  const row = {
    id: "readAttachedRow",
    summary: "One row of a list of an attached database, by its place in the list",
    notFound: "attachment",
    errors: READ_ERRORS,
  };
  read(app, "attachments.read", "/attachments/:id/rows/:view/:place", row, async (ctx, c) => {
    const view = listOf(c);
    const by = attachmentOf(c);
    return view && by && readSourceRow(ctx, by, { view, open: c.req.param("place") ?? "" });
  });
  const flight = {
    id: "listAttachedInFlight",
    summary: "What an attached database works on now, and what of it is stale, or why it is not shown",
    notFound: "attachment",
    errors: READ_ERRORS,
  };
  read(app, "attachments.read", "/attachments/:id/in-flight", flight, async (ctx, c) => {
    const by = attachmentOf(c);
    return by && readSourceInFlight(ctx, by);
  });
  const overview = {
    id: "readAttachedDatabase",
    summary: "An attached database: what its tables store, and its rows by state over time",
    filters: parseSourceRange,
    notFound: "attachment",
    errors: READ_ERRORS,
  };
  list(app, "attachments.read", "/attachments/:id/overview", overview, async (ctx, { filters }, c) => {
    const by = attachmentOf(c);
    return by && readSource(ctx, by, filters.range);
  });
}

/** The list that the address names. */
export function listOf(c: AdminCall): SourceViewName | undefined {
  return SOURCE_VIEWS.find((each) => each === c.req.param("view"));
}

export function attachmentOf(c: AdminCall): { readonly id: string } | undefined {
  const id = c.req.param("id") ?? "";
  return UUID.test(id) ? { id } : undefined;
}
