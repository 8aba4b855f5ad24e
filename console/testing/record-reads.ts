import { selectWebhookEndpoints } from "@/db/webhooks/select-webhook-endpoints";
import { readWithin } from "@/db/bounded-read";
import {
  parseAuditFilters,
  parseConflictFilters,
  parseHeatmapFilters,
  parseMetricFilters,
} from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import { type ListPage, VIEW_PAGES } from "@/presentation/list/saved-view";
import type { EngineContext } from "@/engine/context";
import type { ListSource } from "@/console/exports/lists/list-source";
import { auditSource, conflictsSource } from "@/console/exports/lists/records-source";
import { listApprovals } from "@/console/plans/list-approvals";
import { listClients } from "@/console/read/access/list-clients";
import { lookNow } from "@/console/read/deployment/read-checklist";
import { readClient } from "@/console/read/access/read-client";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import { readInvariantsPage } from "@/console/read/deployment/read-invariants";
import { readHeatmap } from "@/console/read/deployment/read-heatmap";
import { readMetrics } from "@/console/read/deployment/read-metrics";
import { listViews } from "@/console/saved-views/list-views";
import type { PageRead } from "./page-read";

const YEAR_MS = 31_536_000_000;
const metrics = (name: string, search: SearchInput): PageRead => ({
  name: `/metrics ${name}`,
  read: (ctx) => readMetrics(ctx, parseMetricFilters(search).filters),
});
const heatmap = (name: string, search: SearchInput): PageRead => ({
  name: `/metrics/clients ${name}`,
  read: (ctx) => readHeatmap(ctx, parseHeatmapFilters(search).filters),
});
/** A page of an export is larger than one of the list. */
const EXPORT_PAGE = { limit: 1_000, direction: "desc" } as const;
/** What a deployment serves is not read from the database. */
const SERVED = {
  owners: [],
  deployment: { routes: [], profiles: [], document: [], metrics: [], traces: false },
} as const;

async function webhooks(ctx: EngineContext): Promise<unknown> {
  return [
    await readWithin(ctx.db, "list", (q) => selectWebhookEndpoints(q, ctx.tenantId, 100)),
    await readEventSources(ctx),
  ];
}

function exported<Page extends ListPage>(page: string, source: ListSource<Page>): PageRead {
  return {
    name: `export of ${page}`,
    read: async (ctx) => {
      const kinds = await ctx.kinds.all();
      const first = { ...EXPORT_PAGE, direction: source.direction };
      return readWithin(ctx.db, "list", (q) => source.read(q, first, undefined, kinds));
    },
  };
}

/** Reads of the pages about clients, measures, checks and records: what is shown of roll-ups and of our own books. */
export const RECORD_READS: readonly PageRead[] = [
  { name: "/approvals", read: (ctx) => listApprovals(ctx) },
  { name: "/clients", read: (ctx) => listClients(ctx, { range: "24h" }) },
  { name: "/clients of a month", read: (ctx) => listClients(ctx, { range: "30d" }) },
  { name: "/clients/{client}", read: (ctx, { client }) => readClient(ctx, { client, range: "24h" }) },
  { name: "/clients/{client} of a month", read: (ctx, { client }) => readClient(ctx, { client, range: "30d" }) },
  { name: "/clients/{client} of nobody", read: (ctx) => readClient(ctx, { client: "nobody", range: "30d" }) },
  metrics("of an hour", { range: "1h" }),
  metrics("", {}),
  metrics("of a day, by client", { range: "24h", group: "client" }),
  metrics("of a week", { range: "7d" }),
  metrics("of a month", { range: "30d" }),
  metrics("of a month, by operation", { range: "30d", group: "operation" }),
  heatmap("", {}),
  heatmap("of a day, a cell open", {
    range: "24h",
    show: "conflict",
    client: "till-web",
    cell: new Date().toISOString(),
  }),
  heatmap("of a week, reuse too fast", { range: "7d", show: "reused" }),
  metrics("of a year", { from: new Date(Date.now() - YEAR_MS).toISOString() }),
  { name: "/invariants", read: (ctx) => readInvariantsPage(ctx) },
  { name: "/checklist", read: (ctx) => lookNow(ctx, SERVED) },
  { name: "/settings/webhooks", read: webhooks },
  ...VIEW_PAGES.map((page): PageRead => ({ name: `saved views of /${page}`, read: (ctx) => listViews(ctx, { page }) })),
  exported("/audit", auditSource("acme", parseAuditFilters({ range: "all" }).filters)),
  exported("/audit of a person", auditSource("acme", parseAuditFilters({ actor: "Operator 3", range: "all" }).filters)),
  exported("/conflicts", conflictsSource("acme", parseConflictFilters({ range: "7d" }).filters)),
];
