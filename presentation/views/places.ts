import type { MessageSide } from "@/domain/messages/side";
import type { ChartAxis, ChartSeries } from "./common";

/** One topic or consumer: what waits as far as it is counted, what is dead exactly, what was done from the roll-ups of the last hour. */
export interface PlaceRow {
  readonly side: MessageSide;
  readonly place: string;
  /** For people: "webhook to shop.example". */
  readonly label: string;
  readonly waiting: number;
  /** Of a consumer: WAITING_COUNTED or more wait in the inbox, so of these at least so many. */
  readonly sampled?: boolean | undefined;
  /** Of those that wait, tried in vain at least once. */
  readonly failing: number;
  readonly dead: number;
  readonly alone: number;
  readonly oldestMs?: number | undefined;
  /** When the first of the failing ones is tried again. */
  readonly nextFailingAt?: string | undefined;
  readonly hour: {
    readonly succeeded: number;
    readonly failed: number;
    readonly dead: number;
    readonly lagP95Ms?: number | undefined;
    /** Five minutes each, oldest first. */
    readonly spark: readonly number[];
  };
  /** What carries a topic: `http`, `nats`, `rabbitmq`, `kafka`, `mail`. */
  readonly transport?: string | undefined;
  readonly paused?: PausedView | undefined;
  /** Why nothing can be sent there now; no attempt is counted and nothing is lost. */
  readonly outage?: string | undefined;
}

export interface PausedView {
  readonly at: string;
  readonly by: string;
  readonly reason: string;
}

export interface PlacesView {
  readonly side: MessageSide;
  readonly at: string;
  /** What is wrong first, then by what was done in the last hour. */
  readonly rows: readonly PlaceRow[];
  /** There are more places than are looked at. */
  readonly more: boolean;
  /** Over all places, also those that are not looked at. */
  readonly open: { readonly waiting: number; readonly dead: number; readonly oldestMs?: number | undefined };
  /** Age of the newest rolled-up minute; undefined: never. */
  readonly rolledUpMs?: number | undefined;
}

/** One measure over the buckets of a {@link PlaceChart}. */
export interface PlaceSeries extends ChartSeries {
  readonly name: "succeeded" | "failed" | "dead" | "lag_p95" | "lag_max";
}

export interface PlaceChart extends ChartAxis {
  readonly strips: readonly PlaceSeries[];
}

export interface PlaceError {
  readonly code: string;
  readonly error: string;
  /** Of dead letters: what groups them. */
  readonly fingerprint?: string | undefined;
  readonly waiting: number;
  readonly dead: number;
  readonly lastAt?: string | undefined;
}
