import type { ActionView, VerdictView } from "./common";
import type { JudgedInboxRow } from "./inbox";
import type { JudgedOutboxRow } from "./outbox";
import type { PlaceChart, PlaceError, PlaceRow } from "./places";

/** What the pages of a topic and of a consumer show alike. @typeParam Row of what waits longest */
export interface PlaceDetail<Row> {
  readonly at: string;
  readonly row: PlaceRow;
  readonly verdict: VerdictView;
  readonly chart: PlaceChart;
  readonly errors: readonly PlaceError[];
  readonly waiting: readonly Row[];
}

export interface TopicView extends PlaceDetail<JudgedOutboxRow> {
  readonly route: TopicRoute;
  readonly actions: { readonly pause: ActionView; readonly resume: ActionView; readonly route: ActionView };
}

export interface TopicRoute {
  readonly transport: string;
  /** As an operator chose; undefined: as the deployment says. */
  readonly chosen?: string | undefined;
  readonly destination?: string | undefined;
  /** Where it goes without a destination of its own. */
  readonly otherwise: string;
  /** Transports that this deployment has. */
  readonly offered: readonly string[];
  readonly fallback: string;
  /** 0: nobody decided anything yet. */
  readonly version: number;
  readonly updatedAt?: string | undefined;
  readonly updatedBy?: string | undefined;
}

export interface ConsumerView extends PlaceDetail<JudgedInboxRow> {
  readonly types: readonly ConsumerType[];
  /** Newest arrivals of the tenant among which `types` were counted. */
  readonly lookedAt: number;
}

export interface ConsumerType {
  readonly type: string;
  readonly source: string;
  readonly count: number;
  readonly duplicates: number;
  readonly mismatches: number;
  readonly superseded: number;
  readonly ignored: number;
  readonly lastAt: string;
}
