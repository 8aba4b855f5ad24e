import type { Hono } from "hono";
import { z } from "zod";
import {
  parseAuditFilters,
  parseConflictFilters,
  parseDeadLetterFilters,
  parseInboxFilters,
  parseOperationFilters,
  parseOutboxFilters,
  parsePlanFilters,
} from "@/presentation/filters/parsers";
import { type FilterParser, MAX_FILTER_TEXT, parserOf, type SearchInput } from "@/presentation/filters/search";
import { exportableColumns } from "@/presentation/list/columns";
import { LISTS } from "@/presentation/list/lists";
import { EXPORT_FORMATS } from "@/presentation/list/export-writer";
import type { ListPage } from "@/presentation/list/saved-view";
import { exportList } from "@/console/exports/export-list";
import type { ListSource } from "@/console/exports/lists/list-source";
import { deadLettersSource, inboxSource, outboxSource } from "@/console/exports/lists/messages-source";
import { attentionSource, operationsSource } from "@/console/exports/lists/operations-source";
import { auditSource, conflictsSource, plansSource } from "@/console/exports/lists/records-source";
import { readableChain } from "@/console/read/access/audit-chain";
import type { Action } from "@/domain/access/permission";
import type { AdminEnv } from "../../env";
import type { EngineContext } from "@/engine/context";
import { read, type AdminCall } from "../declare";
import { download, EXPORT_TYPES, formatOf } from "./download";
import { badFilters, searchOf, understood } from "../read-input";

/** Unknown columns that a refusal names. */
const UNKNOWN_NAMED = 5;

/**
 * Every list of the console as CSV or JSON, with the filters that its page has (docs/EXPORTS.md). A GET, so that a link downloads
 * it; that somebody took it is audited.
 */
export function registerListExports(app: Hono<AdminEnv>): void {
  function route<Page extends ListPage, Filters extends object>(
    permission: Action,
    list: Page,
    parse: FilterParser<Filters>,
    source: (c: AdminCall, tenant: string, filters: Filters, ctx: EngineContext) => ListSource<Page>,
  ): void {
    read(app, permission, `/exports/${list}`, declarationOf(list, parse), async (ctx, c) => {
      const { format, columns: ids, ...search } = searchOf(c);
      const columns = columnsOf(list, ids);
      const { filters } = understood(parse(search));
      const taken = { list, format: formatOf(format), filters, columns, source: source(c, ctx.tenantId, filters, ctx) };
      return download(c, () => exportList(ctx, taken));
    });
  }
  route("operations.read", "operations", parseOperationFilters, (_c, tenant, filters) =>
    operationsSource(tenant, filters),
  );
  route("operations.read", "attention", parserOf({}), (_c, tenant) => attentionSource(tenant));
  route("conflicts.read", "conflicts", parseConflictFilters, (_c, tenant, filters) => conflictsSource(tenant, filters));
  route("outbox.read", "outbox", parseOutboxFilters, (c, _tenant, filters, ctx) =>
    outboxSource(ctx, filters, c.get("deps").config.outboxTransport),
  );
  route("inbox.read", "inbox", parseInboxFilters, (_c, _tenant, filters, ctx) => inboxSource(ctx, filters));
  route("dead_letters.read", "dead-letters", parseDeadLetterFilters, (_c, _tenant, filters, ctx) =>
    deadLettersSource(ctx, filters),
  );
  route("plans.read", "plans", parsePlanFilters, (_c, tenant, filters) => plansSource(tenant, filters));
  route("audit.export", "audit", parseAuditFilters, (c, _tenant, filters) =>
    auditSource(readableChain(c.get("ctx"), filters.chain), filters),
  );
}

function declarationOf(list: ListPage, filters: FilterParser) {
  const words = list.replace("-", " ");
  return {
    id: `export${words.replaceAll(/(?:^| )(\w)/g, (_all, first: string) => first.toUpperCase())}`,
    summary: `The list of ${words} as a file`,
    filters,
    query: {
      format: z.enum(EXPORT_FORMATS).default("csv"),
      columns: z
        .string()
        .optional()
        .describe(`Ids of columns, separated by commas: ${exportableColumns(LISTS[list]).join(", ")}. None means all`),
    },
    answers: {
      200: {
        text: "The rows, docs/EXPORTS.md names the columns",
        types: EXPORT_TYPES,
        schema: z.unknown(),
      },
    },
    errors: [
      "validation.filter",
      "export.too_many_rows",
      "transient.busy",
      ...(list === "audit" ? ["auth.person_only"] : []),
    ],
  };
}

/**
 * Columns of the list by their ids in its address; none means all.
 * @throws AppError `validation.filter` 400 that names what this list does not have
 */
function columnsOf(list: ListPage, value: SearchInput[string]): readonly string[] | undefined {
  const ids = (typeof value === "string" ? [value] : (value ?? []))
    .flatMap((text) => text.split(","))
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length === 0) return undefined;
  const known = exportableColumns(LISTS[list]);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return ids;
  const has = known.length === 0 ? "this list has none to choose" : `not one of ${known.join(", ")}`;
  throw badFilters([
    { name: "columns", detail: `${unknown.slice(0, UNKNOWN_NAMED).join(", ").slice(0, MAX_FILTER_TEXT)}: ${has}` },
  ]);
}
