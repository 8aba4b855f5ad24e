import type { MessagePoint, ProcessRole } from "./points";
import type { Mode } from "@/tests/crash/point";

/** Everything that one run of a message point decides, made from its seed and its cell alone. */
export interface MessagePlan {
  readonly kind: "message";
  readonly seed: number;
  readonly cell: string;
  readonly point: MessagePoint;
  readonly mode: Mode;
  readonly role: ProcessRole;
  /** Of which each is followed by so many refunds: events of one aggregate. */
  readonly payments: number;
  readonly refunds: number;
  /** Events of aggregates of their own. */
  readonly accounts: number;
  /** O2: at which acknowledgement. */
  readonly nth: number;
  /** `cut`: whose connections. */
  readonly side: "database" | "peer";
  /** On the wire: what is lost. */
  readonly lost: "answer" | "request";
  /** What was held on the wire arrives after all, when everything is settled. */
  readonly late: boolean;
  /** `stop`: what the others come to before the paused process is back; one that only took the leases died at once. */
  readonly overtaken: "settled" | "only_taken";
  readonly sessionEnds: boolean;
  /** Messages handled one by one from the first, as after a failure. */
  readonly alone: boolean;
}

export interface Draws {
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** @param draws of the seed and the cell */
export function messagePlanOf(
  cell: Pick<MessagePlan, "seed" | "cell" | "point" | "mode">,
  { chance, pick }: Draws,
): MessagePlan {
  const role = pick(cell.point.roles);
  const payments = pick([1, 2]);
  const accounts = pick([1, 2, 3]);
  return {
    kind: "message",
    ...cell,
    role,
    payments,
    refunds: pick([0, 1, 2]),
    accounts,
    // Of each aggregate one is sent at first.
    nth: pick(Array.from({ length: payments + accounts }, (_, index) => index + 1)),
    side: role === "relay" && chance(0.4) ? "peer" : "database",
    lost: chance(0.6) ? "answer" : "request",
    late: chance(0.5),
    overtaken: chance(0.4) ? "only_taken" : "settled",
    sessionEnds: cell.mode === "stop" && chance(0.3),
    alone: chance(0.4),
  };
}
