import { LEDGER_CONSUMER } from "@/domain/messages/ledger-consumer";
import { verdictOf } from "../operation/verdict";
import type {
  FlowEdge,
  FlowHeld,
  FlowKind,
  FlowNode,
  FlowTone,
  FlowUndrawn,
  FlowView,
  FlowWindow,
} from "../views/flow";
import type { PlaceRow } from "../views/places";
import { flowHeadline, flowLede } from "./flow-claims";
import { flowState, type FlowFacts } from "./flow-state";
import { isWhole, partsOf, type FlowPart, type FlowSplit, type SentPart, type TakenPart } from "./flow-parts";
import { sumOfRates } from "./rate";

export interface FlowInput {
  readonly at: string;
  readonly window: FlowWindow;
  readonly minutes: FlowView["minutes"];
  /** Topics and consumers as their own pages have them. */
  readonly rows: readonly PlaceRow[];
  /** What each did in the window, and usually does a minute, by side and place. */
  readonly done: (row: Pick<PlaceRow, "side" | "place">) => {
    readonly done: number;
    readonly usual?: number | undefined;
  };
  readonly sent: FlowSplit<SentPart>;
  readonly taken: FlowSplit<TakenPart>;
  readonly held: ReadonlyMap<string, FlowHeld>;
  readonly endpoints: ReadonlyMap<string, Pick<FlowNode, "disabledAt" | "down">>;
  /** Topics of mail and merchants' endpoints, with how they leave. */
  readonly ends: (topic: string) => string | undefined;
  /** Topics that do not come to the inbox here, with where they go. */
  readonly outside: ReadonlyMap<string, { readonly destination: string; readonly transport: string }>;
  readonly written: boolean;
  readonly undrawn: FlowUndrawn;
  readonly more: boolean;
  readonly rolledUpMs: number | undefined;
}

export const nodeId = (kind: FlowKind, name: string): string => (kind === "ledger" ? "ledger" : `${kind}:${name}`);

type Quantity = Pick<FlowNode, "rate" | "usual" | "about">;
type BareEdge = Omit<FlowEdge, "tone">;

const TRANSPORTS: Readonly<Record<string, string>> = {
  http: "HTTP",
  nats: "NATS",
  rabbitmq: "RabbitMQ",
  kafka: "Kafka",
};

/** Nodes and edges from what was read: rates of places from the roll-ups, split over edges as the newest messages were. */
export function buildFlow(input: FlowInput): FlowView {
  const places = input.rows.map((row) => placeFacts(input, row));
  const into = places.flatMap((place) => edgesInto(input, place));
  const out = edgesOut(input, places);
  const edges = [...into, ...out];
  const facts = [...sources(input, into), ...places, ...targets(input, edges)];
  const nodes = facts.map((each): FlowNode => {
    const { at: _, ...node } = each;
    return { ...node, ...flowState(each) };
  });
  const { at, window, minutes, written, undrawn, more, rolledUpMs } = input;
  const said = { window, minutes, nodes, written };
  return {
    ...{ at, window, minutes, nodes, undrawn, more, rolledUpMs },
    sampled: edges.some(({ about }) => about),
    edges: tonedEdges(edges, nodes),
    verdict: verdictOf(flowHeadline(said)),
    lede: flowLede(said),
  };
}

/** A topic, an endpoint or a consumer. */
function placeFacts(input: FlowInput, row: PlaceRow): FlowFacts {
  const { side, place, label, waiting, sampled, failing, dead, oldestMs, nextFailingAt, paused, outage } = row;
  const leaves = side === "outbox" ? input.ends(place) : undefined;
  const kind = side === "inbox" ? "consumer" : leaves === undefined ? "topic" : "endpoint";
  const { done, usual } = input.done(row);
  const { measured } = input.minutes;
  return {
    ...{ at: input.at, id: nodeId(kind, place), kind, name: place, label, usual, leaves },
    ...{ waiting, sampled, failing, dead, oldestMs, nextFailingAt, paused, outage },
    rate: measured === 0 ? undefined : done / measured,
    held: side === "outbox" ? input.held.get(place) : undefined,
    ...(side === "outbox" && input.endpoints.get(place)),
    weight: weightOf(kind === "consumer" ? input.taken.known : input.sent.known, kind, place),
  };
}

function weightOf(parts: readonly (SentPart | TakenPart)[], kind: FlowKind, place: string): number {
  const own = parts.filter((part) =>
    kind === "consumer" ? "consumer" in part && part.consumer === place : "topic" in part && part.topic === place,
  );
  return own.reduce((sum, { count }) => sum + count, 0);
}

/** From what fed it: operations into a topic, topics into an endpoint, topics and other systems into a consumer. */
function edgesInto(input: FlowInput, { id, kind, name, rate, usual }: FlowFacts): readonly BareEdge[] {
  const feeds: readonly FlowPart[] =
    kind === "consumer"
      ? partsOf(input.taken, (part) => part.consumer === name, processedOf, feederOfTaken)
      : partsOf(input.sent, (part) => part.topic === name, countOf, kind === "topic" ? operationOf : originOf);
  const about = isAbout(input, kind, name);
  return feeds.flatMap(({ from, share }) =>
    from === undefined ? [] : [{ from, to: id, ...shareOf({ rate, usual, about }, share) }],
  );
}

/** What a place did is split over edges by messages that are not all that it did. */
function isAbout(input: FlowInput, kind: FlowKind, name: string): true | undefined {
  const { done } = input.done({ side: kind === "consumer" ? "inbox" : "outbox", place: name });
  const whole =
    kind === "consumer"
      ? isWhole(input.taken, (part) => part.consumer === name, processedOf, done)
      : isWhole(input.sent, (part) => part.topic === name, countOf, done);
  return whole ? undefined : true;
}

const processedOf = ({ processed }: TakenPart): number => processed;
const countOf = ({ count }: SentPart): number => count;

/** What is usual on an edge is known only where it carries all of the place. */
function shareOf({ rate, usual, about }: Quantity, share: number): Quantity {
  return {
    rate: rate === undefined ? undefined : rate * share,
    usual: share === 1 && about === undefined ? usual : undefined,
    ...(about && rate !== undefined && { about }),
  };
}

const operationOf = ({ operation }: SentPart) => (operation === undefined ? undefined : nodeId("operation", operation));
const originOf = ({ origin }: SentPart) => (origin === undefined ? undefined : nodeId("topic", origin));

function feederOfTaken({ topic, own, source }: TakenPart): string | undefined {
  if (topic !== undefined) return nodeId("topic", topic);
  return own ? undefined : nodeId("source", source);
}

/** Operations and other systems: nothing waits there, so all that is known of them is what left them. */
function sources({ at }: FlowInput, edges: readonly BareEdge[]): readonly FlowFacts[] {
  const ids = new Set(edges.map(({ from }) => from).filter((id) => /^(operation|source):/.test(id)));
  return [...ids].map((id) => {
    const [kind, ...name] = id.split(":") as [FlowKind, ...string[]];
    const out = edges.filter(({ from }) => from === id);
    return { ...passing(at, kind, name.join(":")), ...sumOf(out), weight: out.length };
  });
}

function passing(at: string, kind: FlowKind, name: string, label = name): FlowFacts {
  return { at, id: nodeId(kind, name), kind, name, label, waiting: 0, failing: 0, dead: 0, weight: 0 };
}

function sumOf(edges: readonly Quantity[]): Quantity {
  return {
    rate: sumOfRates(edges.map(({ rate }) => rate)),
    usual: sumOfRates(edges.map(({ usual }) => usual)),
    ...(edges.some(({ about }) => about) && { about: true }),
  };
}

/** The ledger, and where topics go that do not come here. */
function targets(input: FlowInput, edges: readonly BareEdge[]): readonly FlowFacts[] {
  const into = (id: string): Quantity => sumOf(edges.filter(({ to }) => to === id));
  const outside = [...input.outside].map(([topic, { destination, transport }]): FlowFacts => {
    const id = nodeId("outside", topic);
    const leaves = `leaves by ${TRANSPORTS[transport] ?? transport}`;
    return { ...passing(input.at, "outside", topic, destination), ...into(id), leaves };
  });
  const posts = edges.some(({ to }) => to === "ledger");
  return posts ? [...outside, { ...passing(input.at, "ledger", "ledger"), ...into("ledger") }] : outside;
}

function edgesOut(input: FlowInput, places: readonly FlowFacts[]): readonly BareEdge[] {
  return places.flatMap(({ id, kind, name, rate, usual }): readonly BareEdge[] => {
    if (kind === "topic" && input.outside.has(name)) return [{ from: id, to: nodeId("outside", name), rate, usual }];
    if (kind !== "consumer" || name !== LEDGER_CONSUMER) return [];
    const share = entriesPerMessage(input.taken);
    const about = isAbout(input, kind, name);
    return share === undefined ? [] : [{ from: id, to: "ledger", ...shareOf({ rate, usual, about }, share) }];
  });
}

/** Entries for each message that the consumer of the ledger handled; undefined: it has posted none that was looked at. */
function entriesPerMessage({ window, known }: FlowSplit<TakenPart>): number | undefined {
  const count = (parts: readonly TakenPart[]) => {
    const own = parts.filter(({ consumer }) => consumer === LEDGER_CONSUMER);
    const sum = (part: "processed" | "entries") => own.reduce((total, row) => total + row[part], 0);
    return { processed: sum("processed"), entries: sum("entries") };
  };
  const [now, before] = [count(window), count(known)];
  if (now.entries + before.entries === 0) return undefined;
  const { entries, processed } = now.processed > 0 ? now : before;
  return entries / processed;
}

/** An edge is as late, or rests, as what is at its end; what a topic cannot send is late from there on. */
function tonedEdges(edges: readonly BareEdge[], nodes: readonly FlowNode[]): readonly FlowEdge[] {
  const tones = new Map(nodes.map(({ id, tone }) => [id, tone]));
  return edges.map((edge): FlowEdge => {
    const ends = [edge.from, edge.to].map((id): FlowTone => tones.get(id) ?? "plain");
    return { ...edge, tone: ends.includes("paused") ? "paused" : ends.includes("late") ? "late" : "plain" };
  });
}
