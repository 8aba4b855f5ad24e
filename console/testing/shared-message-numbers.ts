import type { OverviewView } from "@/presentation/views/overview";
import type { PlaceRow } from "@/presentation/views/places";
import type { NumberPages } from "./number-pages";
import { COUNTS, chartLine, one, withoutGaps, listedRows, sum, waits, type Said, type SharedNumber } from "./said";

/** Of places, by their name. */
const places = (rows: readonly PlaceRow[], part: "waiting" | "failing" | "dead"): Said =>
  rows.map((row) => [row.place, row[part]]);
const late = ({ late: rows }: OverviewView, side: PlaceRow["side"]): Said =>
  rows.filter((row) => row.side === side).map(({ place, waiting }) => [place, waiting]);
const nodes = ({ flow }: NumberPages["flow"], inbox: boolean, part: "waiting" | "failing" | "dead"): Said =>
  flow.nodes
    .filter(({ kind }) => (inbox ? kind === "consumer" : kind === "topic" || kind === "endpoint"))
    .map((node) => [node.name, node[part]]);
/** Beside the flow: what is said of the node, and the rows below it. */
const beside = ({ detail }: NumberPages["flow"], part: "waiting" | "dead"): Said =>
  detail?.row === undefined || detail.topic === undefined
    ? []
    : [
        [detail.row.place, detail.row[part]],
        [detail.row.place, part === "dead" ? detail.dead.length : detail.topic.waiting.length],
      ];
const endpoints = (view: NumberPages["webhook endpoints"], part: "waiting" | "dead"): Said =>
  view.endpoints.map((row) => [row.topic, row[part]]);

const PENDING = "from onceboard.outbox_messages where tenant_id = $1 and state = 'pending'";
const RECORDED = "from onceboard.inbox_open where tenant_id = $1";
const DEAD = "from onceboard.dead_letters where tenant_id = $1 and settled_at is null";
const OPEN_PLACES = "db/messages/select-places.ts selectOpenPlaces" as const;

/** Of messages and where they go. */
export const MESSAGE_NUMBERS: readonly SharedNumber[] = [
  {
    name: "messages that wait in the outbox",
    read: COUNTS,
    oracle: `select '' as what, count(*)::int as value ${PENDING}`,
    pages: {
      rail: ({ counts }) => one(counts.outbox),
      overview: (view) => one(waits(view, "outbox")),
      outbox: ({ pending, places: all, list }) =>
        one(pending, all?.open.waiting, sum(all?.rows.map(({ waiting }) => waiting) ?? []), listedRows(list).length),
      topics: ({ open, rows }) => one(open.waiting, sum(rows.map(({ waiting }) => waiting))),
      flow: (view) => one(sum(nodes(view, false, "waiting").map(([, count]) => count ?? 0))),
    },
  },
  {
    name: "messages that wait in a topic",
    read: OPEN_PLACES,
    oracle: `select topic as what, count(*)::int as value ${PENDING} group by 1`,
    pages: {
      overview: (view) => late(view, "outbox"),
      outbox: ({ places: all }) => places(all?.rows ?? [], "waiting"),
      topics: ({ rows }) => places(rows, "waiting"),
      "a topic": (views) =>
        places(
          withoutGaps(views).map(({ row }) => row),
          "waiting",
        ),
      flow: (view) => [...nodes(view, false, "waiting"), ...beside(view, "waiting")],
      "webhook endpoints": (view) => endpoints(view, "waiting"),
    },
  },
  {
    name: "dead messages of a topic",
    read: OPEN_PLACES,
    oracle: `select place as what, count(*)::int as value ${DEAD} and side = 'outbox' group by 1`,
    pages: {
      outbox: ({ places: all }) => places(all?.rows ?? [], "dead"),
      topics: ({ rows }) => places(rows, "dead"),
      "a topic": (views) =>
        places(
          withoutGaps(views).map(({ row }) => row),
          "dead",
        ),
      flow: (view) => [...nodes(view, false, "dead"), ...beside(view, "dead")],
      "webhook endpoints": (view) => endpoints(view, "dead"),
      "dead letters": ({ groups }) =>
        groups.filter(({ side }) => side === "outbox").map(({ place, count }) => [place, count]),
    },
  },
  {
    name: "dead messages of the outbox",
    read: COUNTS,
    oracle: `select '' as what, count(*)::int as value ${DEAD} and side = 'outbox'`,
    pages: {
      outbox: ({ dead }) => one(dead),
      topics: ({ open, rows }) => one(open.dead, sum(rows.map(({ dead }) => dead))),
    },
  },
  {
    name: "messages that wait in the inbox",
    read: COUNTS,
    oracle: `select '' as what, count(*)::int as value ${RECORDED}`,
    pages: {
      rail: ({ counts }) => one(counts.inbox),
      overview: (view) => one(waits(view, "inbox")),
      inbox: ({ recorded, places: all }) => one(recorded, all?.open.waiting),
      consumers: ({ open, rows }) => one(open.waiting, sum(rows.map(({ waiting }) => waiting))),
    },
  },
  {
    name: "messages that wait for a consumer",
    read: OPEN_PLACES,
    oracle: `select consumer as what, count(*)::int as value ${RECORDED} group by 1`,
    pages: {
      overview: (view) => late(view, "inbox"),
      inbox: ({ places: all }) => places(all?.rows ?? [], "waiting"),
      consumers: ({ rows }) => places(rows, "waiting"),
      "a consumer": (views) =>
        places(
          withoutGaps(views).map(({ row }) => row),
          "waiting",
        ),
      flow: (view) => nodes(view, true, "waiting"),
    },
  },
  {
    name: "dead messages of a consumer",
    read: OPEN_PLACES,
    oracle: `select place as what, count(*)::int as value ${DEAD} and side = 'inbox' group by 1`,
    pages: {
      consumers: ({ rows }) => places(rows, "dead"),
      "a consumer": (views) =>
        places(
          withoutGaps(views).map(({ row }) => row),
          "dead",
        ),
      flow: (view) => nodes(view, true, "dead"),
      "dead letters": ({ groups }) =>
        groups.filter(({ side }) => side === "inbox").map(({ place, count }) => [place, count]),
    },
  },
  {
    name: "dead letters",
    read: COUNTS,
    oracle: `select '' as what, count(*)::int as value ${DEAD}`,
    pages: {
      rail: ({ counts }) => one(counts.deadLetters),
      overview: (view) => one(waits(view, "dead_letters")),
      "dead letters": ({ open, matching, groups }) => one(open, matching.count, sum(groups.map(({ count }) => count))),
      metrics: (view) => one(chartLine(view, "dead_letters")[0]?.now),
    },
  },
  {
    name: "webhook endpoints that are disabled",
    read: "db/webhooks/select-webhook-endpoints.ts selectWebhookEndpoints",
    oracle: `select 'webhook:' || id as what, (disabled_at is not null)::int as value from onceboard.webhook_endpoints where tenant_id = $1`,
    pages: {
      "webhook endpoints": (view) =>
        view.endpoints.map(({ topic, disabled }) => [topic, disabled === undefined ? 0 : 1]),
      flow: ({ flow: { nodes: all } }) =>
        all.filter(({ kind }) => kind === "endpoint").map((node) => [node.name, node.disabledAt === undefined ? 0 : 1]),
      overview: ({ late: rows }) =>
        rows.filter(({ place }) => place.startsWith("webhook:")).map((row) => [row.place, row.disabled ? 1 : 0]),
    },
  },
];
