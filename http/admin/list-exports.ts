import type { Context, Hono } from "hono";
import { parseAuditFilters } from "@/domain/filters/audit";
import { parseConflictFilters } from "@/domain/filters/conflicts";
import { parseDeadLetterFilters } from "@/domain/filters/dead-letters";
import { parseInboxFilters } from "@/domain/filters/inbox";
import { parseOperationFilters } from "@/domain/filters/operations";
import { parseOutboxFilters } from "@/domain/filters/outbox";
import { parsePlanFilters } from "@/domain/filters/plans";
import { MAX_FILTER_TEXT, readSearch, type Parsed, type SearchInput } from "@/domain/filters/search";
import { exportableColumns } from "@/domain/list-columns";
import { EXPORT_FORMATS, isExportFormat, type ExportFormat } from "@/domain/export-writer";
import type { ViewPage } from "@/domain/saved-view";
import { exportList } from "@/engine/export/export-list";
import type { ListSource } from "@/engine/export/lists/list-source";
import { deadLettersSource, inboxSource, outboxSource } from "@/engine/export/lists/messages-source";
import { attentionSource, operationsSource } from "@/engine/export/lists/operations-source";
import { auditSource, conflictsSource, plansSource } from "@/engine/export/lists/records-source";
import { readableChain } from "@/engine/read/audit-chain";
import type { AdminEnv } from "../env";
import { download } from "./download";
import { badFilters, searchOf, understood } from "./read-input";

type Call = Context<AdminEnv>;
/** Unknown columns that a refusal names. */
const UNKNOWN_NAMED = 5;

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
      const { format, columns, ...search } = searchOf(c);
      const asked = formatOf(format);
      const chosen = columnsOf(list, columns);
      const { filters } = understood(parse(search));
      const ctx = c.get("ctx");
      const taken = await exportList(ctx, {
        list,
        format: asked,
        filters,
        columns: chosen,
        source: source(c, ctx.tenantId, filters),
      });
      return download(c, taken);
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
  route("audit", parseAuditFilters, (c, _tenant, filters) =>
    auditSource(readableChain(c.get("ctx"), filters.chain), filters),
  );
}

/**
 * Columns of the list by their ids in its address; none means all.
 * @throws AppError `validation.filter` 400 that names what this list does not have
 */
function columnsOf(list: ViewPage, asked: SearchInput[string]): readonly string[] | undefined {
  const ids = (typeof asked === "string" ? [asked] : (asked ?? []))
    .flatMap((value) => value.split(","))
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length === 0) return undefined;
  const known = exportableColumns(list);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return ids;
  const has = known.length === 0 ? "this list has none to choose" : `not one of ${known.join(", ")}`;
  throw badFilters([
    { name: "columns", detail: `${unknown.slice(0, UNKNOWN_NAMED).join(", ").slice(0, MAX_FILTER_TEXT)}: ${has}` },
  ]);
}

function formatOf(asked: SearchInput[string]): ExportFormat {
  const text = typeof asked === "string" ? asked : (asked?.[0] ?? "csv");
  if (isExportFormat(text)) return text;
  throw badFilters([{ name: "format", detail: `not one of ${EXPORT_FORMATS.join(", ")}` }]);
}
