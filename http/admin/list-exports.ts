import type { Context, Hono } from "hono";
import { parseAuditFilters } from "@/domain/filters/audit";
import { parseConflictFilters } from "@/domain/filters/conflicts";
import { parseDeadLetterFilters } from "@/domain/filters/dead-letters";
import { parseInboxFilters } from "@/domain/filters/inbox";
import { parseOperationFilters } from "@/domain/filters/operations";
import { parseOutboxFilters } from "@/domain/filters/outbox";
import { parsePlanFilters } from "@/domain/filters/plans";
import { readSearch, type Parsed, type SearchInput } from "@/domain/filters/search";
import { EXPORT_FORMATS, isExportFormat, type ExportFormat } from "@/domain/list-export";
import type { ViewPage } from "@/domain/saved-view";
import { exportList } from "@/engine/export/export-list";
import type { ListSource } from "@/engine/export/lists/list-source";
import { deadLettersSource, inboxSource, outboxSource } from "@/engine/export/lists/messages-source";
import { attentionSource, operationsSource } from "@/engine/export/lists/operations-source";
import { auditSource, conflictsSource, plansSource } from "@/engine/export/lists/records-source";
import type { AdminEnv } from "../env";
import { download } from "./download";
import { badFilters, searchOf, understood } from "./read-input";

type Call = Context<AdminEnv>;

/**
 * Every list of the console as CSV or JSON, with the filters that its page has (docs/EXPORTS.md). A GET, so that a link
 * downloads it; that somebody took it is audited.
 */
export function registerListExports(app: Hono<AdminEnv>): void {
  function route<Filters extends object, Row>(
    list: ViewPage,
    parse: (search: SearchInput) => Parsed<Filters>,
    source: (c: Call, tenant: string, filters: Filters) => ListSource<Row>,
  ): void {
    app.get(`/exports/${list}`, async (c) => {
      const { format, ...search } = searchOf(c);
      const asked = formatOf(format);
      const { filters } = understood(parse(search));
      const ctx = c.get("ctx");
      const taken = await exportList(ctx, {
        list,
        format: asked,
        filters,
        source: source(c, ctx.tenantId, filters),
      });
      return download(c, { name: list, extension: asked, ...taken });
    });
  }
  route("operations", parseOperationFilters, (_c, tenant, filters) => operationsSource(tenant, filters));
  route(
    "attention",
    (search) => readSearch(search).done({}),
    (_c, tenant) => attentionSource(tenant),
  );
  route("conflicts", parseConflictFilters, (_c, tenant, filters) => conflictsSource(tenant, filters));
  route("outbox", parseOutboxFilters, (c, tenant, filters) =>
    outboxSource(tenant, filters, c.get("deps").config.outboxTransport),
  );
  route("inbox", parseInboxFilters, (_c, tenant, filters) => inboxSource(tenant, filters));
  route("dead-letters", parseDeadLetterFilters, (_c, tenant, filters) => deadLettersSource(tenant, filters));
  route("plans", parsePlanFilters, (_c, tenant, filters) => plansSource(tenant, filters));
  route("audit", parseAuditFilters, (_c, tenant, filters) => auditSource(tenant, filters));
}

function formatOf(asked: SearchInput[string]): ExportFormat {
  const text = typeof asked === "string" ? asked : (asked?.[0] ?? "csv");
  if (isExportFormat(text)) return text;
  throw badFilters([{ name: "format", detail: `not one of ${EXPORT_FORMATS.join(", ")}` }]);
}
