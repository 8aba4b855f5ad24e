import type { Hono } from "hono";
import { z } from "zod";
import { exportSource } from "@/console/sources/export-source";
import { EXPORT_FORMATS } from "@/presentation/list/export-writer";
import { parseAnySourceFilters, parseSourceFilters } from "@/presentation/filters/sources";
import type { AdminEnv } from "../../env";
import { read } from "../declare";
import { download, EXPORT_TYPES, formatOf } from "../exports/download";
import { found, searchOf, understood } from "../read-input";
import { attachmentOf, listOf, READ_ERRORS } from "./reads";

/** No literal type: the API document reads JSON answers by the type of their handler, and this one is a file. */
const PATH: string = "/attachments/:id/exports/:view";

/**
 * Lists of an attached database as CSV or JSON, with the filters that their pages have. A GET, so that a link downloads it; that somebody took it is
 * audited. They wait for their turn with all other exports of this process.
 */
export function registerAttachmentExports(app: Hono<AdminEnv>): void {
  const about = {
    id: "exportAttachedRows",
    summary: "A list of an attached database as a file",
    filters: parseAnySourceFilters,
    query: { format: z.enum(EXPORT_FORMATS).default("csv") },
    answers: {
      200: { text: "The rows, docs/EXPORTS.md names the columns", types: EXPORT_TYPES, schema: z.unknown() },
    },
    notFound: "attachment",
    errors: [...READ_ERRORS, "attach.too_dear", "validation.filter", "transient.busy"],
  };
  read(app, "attachments.read", PATH, about, async (ctx, c) => {
    const { format: asked, ...search } = searchOf(c);
    const format = formatOf(asked);
    const view = found(listOf(c), "attachment");
    const by = found(attachmentOf(c), "attachment");
    const { filters } = understood(parseSourceFilters(view)(search));
    return download(c, async () =>
      found(await exportSource(ctx, by, { view, format, state: filters.state }), "attachment"),
    );
  });
}
