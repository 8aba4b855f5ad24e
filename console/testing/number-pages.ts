import { listApprovals } from "@/console/plans/list-approvals";
import { listPlans } from "@/console/plans/list-plans";
import { readPlan } from "@/console/plans/read-plan";
import { listClients } from "@/console/read/access/list-clients";
import { readClient } from "@/console/read/access/read-client";
import { readCounts } from "@/console/read/deployment/read-counts";
import { readHeatmap } from "@/console/read/deployment/read-heatmap";
import { readInvariantsPage } from "@/console/read/deployment/read-invariants";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";
import { readMetrics } from "@/console/read/deployment/read-metrics";
import { readOverview } from "@/console/read/deployment/read-overview";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { listInbox, listOutbox } from "@/console/read/messages/list-messages";
import { listConsumers, readConsumer } from "@/console/read/messages/read-consumer";
import { readFlowPage } from "@/console/read/messages/read-flow-page";
import { listTopics, readTopic } from "@/console/read/messages/read-topic";
import { listAttention } from "@/console/read/operations/list-attention";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { readOperationsPage } from "@/console/read/operations/read-operations-page";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import type { ShownState } from "@/domain/lists/filters";
import type { EngineContext } from "@/engine/context";
import {
  parseDeadLetterFilters,
  parseHeatmapFilters,
  parseInboxFilters,
  parseMetricFilters,
  parseOperationFilters,
  parseOutboxFilters,
  parsePlanFilters,
} from "@/presentation/filters/parsers";
import type { HeatMeasure } from "@/domain/metrics/heatmap";

const DEPLOYMENT = { fallback: "http", offered: ["http"] } as const;

/** The node that is chosen in the flow: a topic of most worlds. */
const NODE = "topic:t1";

const operations = (state: ShownState) => (ctx: EngineContext) =>
  readOperationsPage(ctx, { filters: parseOperationFilters({ state }).filters });
const heatmap = (show: HeatMeasure) => (ctx: EngineContext) =>
  readHeatmap(ctx, parseHeatmapFilters({ show, range: "24h", compare: "nothing" }).filters);

/** Details of a page each, by the names that a list has. */
async function each<View>(names: readonly string[], read: (name: string) => Promise<View>): Promise<Awaited<View>[]> {
  const views: Awaited<View>[] = [];
  for (const name of names) views.push(await read(name));
  return views;
}

/** What each page with numbers of other pages reads, as its route does it. Pages of one thing are read for everything that its list has. */
export const NUMBER_PAGES = {
  rail: (ctx: EngineContext) => readLiveStatus(ctx, { page: "" }),
  overview: (ctx: EngineContext) => readOverview(ctx, { range: "6h" }),
  attention: (ctx: EngineContext) => listAttention(ctx, {}),
  "tabs of operations": (ctx: EngineContext) => readCounts(ctx),
  "operations, unknown": operations("UNKNOWN_REQUIRES_RECOVERY"),
  "operations, stale": operations("STALE"),
  "operations, in progress": operations("IN_PROGRESS"),
  outbox: (ctx: EngineContext) => listOutbox(ctx, { filters: parseOutboxFilters({ state: "pending" }).filters }),
  inbox: (ctx: EngineContext) => listInbox(ctx, { filters: parseInboxFilters({ state: "recorded" }).filters }),
  topics: (ctx: EngineContext) => listTopics(ctx, DEPLOYMENT),
  "a topic": async (ctx: EngineContext) =>
    each(
      (await listTopics(ctx, DEPLOYMENT)).rows.map(({ place }) => place),
      (topic) => readTopic(ctx, DEPLOYMENT, { topic }),
    ),
  consumers: listConsumers,
  "a consumer": async (ctx: EngineContext) =>
    each(
      (await listConsumers(ctx)).rows.map(({ place }) => place),
      (consumer) => readConsumer(ctx, { consumer }),
    ),
  flow: (ctx: EngineContext) => readFlowPage(ctx, DEPLOYMENT, { window: "1h", node: NODE, types: [] }),
  "webhook endpoints": (ctx: EngineContext) => readEndpoints(ctx, []),
  "dead letters": (ctx: EngineContext) => listDeadLetters(ctx, { filters: parseDeadLetterFilters({}).filters }),
  conflicts: (ctx: EngineContext) => listConflicts(ctx, {}),
  plans: (ctx: EngineContext) => listPlans(ctx, { filters: parsePlanFilters({}).filters }),
  "a plan": async (ctx: EngineContext) => {
    const { list } = await listPlans(ctx, { filters: parsePlanFilters({}).filters });
    const ids = list.kind === "page" ? list.rows.map(({ id }) => id) : [];
    return each(ids, (id) => readPlan(ctx, { id, filters: { show: "all" } }));
  },
  approvals: listApprovals,
  metrics: (ctx: EngineContext) => readMetrics(ctx, parseMetricFilters({ range: "6h" }).filters),
  "metrics by client": (ctx: EngineContext) =>
    readMetrics(ctx, parseMetricFilters({ range: "24h", group: "client" }).filters),
  "clients by time, replays": heatmap("replayed"),
  "clients by time, conflicts": heatmap("conflict"),
  clients: (ctx: EngineContext) => listClients(ctx, { range: "24h" }),
  "a client": async (ctx: EngineContext) =>
    each(
      (await listClients(ctx, { range: "24h" })).rows.map(({ client }) => client),
      (client) => readClient(ctx, { client, range: "24h" }),
    ),
  invariants: readInvariantsPage,
};

/** What they read, by page. */
export type NumberPages = {
  readonly [Page in keyof typeof NUMBER_PAGES]: Awaited<ReturnType<(typeof NUMBER_PAGES)[Page]>>;
};
