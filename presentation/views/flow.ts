import type { GlyphText, VerdictClause, VerdictView } from "./common";
import type { JudgedInboxRow } from "./inbox";
import type { JudgedOutboxRow } from "./outbox";
import type { TopicView } from "./place-pages";
import type { PausedView, PlaceRow } from "./places";
import type { WebhooksView } from "./webhooks";

/** The newest whole minute, the last hour, the last day. */
export const FLOW_WINDOWS = ["now", "1h", "24h"] as const;
export type FlowWindow = (typeof FLOW_WINDOWS)[number];

/**
 * What a message passes. `source`: a system that sends events here. `endpoint`: mail, or a merchant's webhook. `outside`: where a topic
 * goes that does not come to the inbox here.
 */
export type FlowKind = "operation" | "topic" | "source" | "consumer" | "endpoint" | "outside" | "ledger";
/** `paused` rests because somebody wants it to; `late`: its oldest message is older than the alert. */
export type FlowTone = "plain" | "late" | "paused";

export interface FlowNode {
  /** Unique, and stable: `topic:payments`. */
  readonly id: string;
  readonly kind: FlowKind;
  /** Topic, consumer, operation … as the product names it. */
  readonly name: string;
  readonly label: string;
  /** Messages a minute; undefined: no minute of the window was measured. */
  readonly rate?: number | undefined;
  /** Messages a minute; undefined: not known. */
  readonly usual?: number | undefined;
  /** Its rate is a sum of edges that are estimates. */
  readonly about?: true | undefined;
  readonly waiting: number;
  /** Of a consumer: at least so many. */
  readonly sampled?: boolean | undefined;
  /** Of those that wait, tried in vain. */
  readonly failing: number;
  readonly dead: number;
  readonly oldestMs?: number | undefined;
  readonly nextFailingAt?: string | undefined;
  /** What waits behind a dead message of the same payment or account. */
  readonly held?: FlowHeld | undefined;
  readonly paused?: PausedView | undefined;
  readonly outage?: string | undefined;
  readonly disabledAt?: string | undefined;
  /** While its circuit is open. */
  readonly down?:
    { readonly since: string; readonly nextTryAt?: string | undefined; readonly code?: string | undefined } | undefined;
  /** How a message goes on from here: "leaves by webhook". */
  readonly leaves?: string | undefined;
  readonly tone: FlowTone;
  /** Something is wrong or rests: the worst are never folded, and what folds others says so. */
  readonly trouble: boolean;
  readonly state: GlyphText;
  /** Messages of the last day that were seen at it: what is folded is what has the fewest. */
  readonly weight: number;
}

export interface FlowHeld {
  readonly waiting: number;
  /** Of those, the ones whose dead message is of this topic: one payment or account is one line, whatever the topics. */
  readonly here: number;
  /** Payments or accounts. */
  readonly lines: number;
  readonly what?: string | undefined;
  readonly oldestMs: number;
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  /** Messages a minute; undefined: not measured. */
  readonly rate?: number | undefined;
  readonly usual?: number | undefined;
  /** The rate is an estimate: what the place did is counted, and split as the messages that were looked at. Else it is counted. */
  readonly about?: true | undefined;
  readonly tone: FlowTone;
}

/** Operations of the window that no edge leaves, for they wrote no message. */
export interface FlowUndrawn {
  /** The newest operations that callers began in the window. */
  readonly looked: number;
  /** Those of them that wrote no message. */
  readonly silent: number;
  /** Whether these are all of the window. */
  readonly all: boolean;
  /** The list of exactly these; undefined where there are none, or where not all were looked at. */
  readonly href?: string | undefined;
}

export interface FlowView {
  readonly at: string;
  readonly window: FlowWindow;
  /** Whole minutes of the window, and how many of them were measured. */
  readonly minutes: { readonly measured: number; readonly of: number };
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly verdict: VerdictView;
  /** Below the verdict. */
  readonly lede: readonly VerdictClause[];
  /** Some edge is an estimate. */
  readonly sampled: boolean;
  readonly undrawn: FlowUndrawn;
  /** There are more topics or consumers than are looked at. */
  readonly more: boolean;
  readonly rolledUpMs?: number | undefined;
}

/** What may be known and done about one node, from the reads of its own page. */
export interface FlowDetail {
  readonly id: string;
  readonly row?: PlaceRow | undefined;
  /** What its page opens with. */
  readonly verdict?: VerdictView | undefined;
  readonly topic?: TopicView | undefined;
  /** The endpoint that the node is, alone. */
  readonly endpoints?: WebhooksView | undefined;
  /** The first of what is dead there. */
  readonly dead: readonly (JudgedOutboxRow | JudgedInboxRow)[];
}
