import type pg from "pg";
import { withDeadline, withoutDeadline } from "../deadline";
import type { Database } from "../client";
import { primaryMark, replicaMark, whyNotStandby, type PrimaryMark } from "./measure";

/** What was measured holds so long. */
export const LOOK_EVERY_MS = 1_000;
/** A server that does not say in this time how far it is does not answer. */
export const LOOK_LIMIT_MS = 1_500;
/** Of the primary's positions, one for each look: older ones than that say no more than "too far behind". */
const MARKS_KEPT = 4_000;

/** What is known of a read replica. */
export type ReplicaState =
  | {
      readonly kind: "follows";
      /** How far its log is replayed, in bytes. */
      readonly replayed: bigint;
      /** All that was committed before is there, ms since 1970 by the primary's clock; undefined while nothing is known of it. */
      readonly until: number | undefined;
      /** From then to the primary's now; Infinity while nothing is known. */
      readonly behindMs: number;
      readonly behindBytes: number;
    }
  | { readonly kind: "silent"; readonly error: unknown }
  | { readonly kind: "not_standby"; readonly reason: string };

/** One a process. */
export interface ReadReplica {
  readonly pool: pg.Pool;
  readonly maxLagMs: number;
  /** How it is, measured within the last {@link LOOK_EVERY_MS}; while it was silent then, as it was, and it is asked meanwhile. Throws nothing. */
  state(): Promise<ReplicaState>;
  /** A read on it failed and is made on the primary. @param broken by the connection: what was measured before holds no longer */
  gaveUp(error: unknown, broken: boolean): void;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  readonly primary: Pick<Database, "pool">;
  /** Of the replica; closed with it. */
  readonly replica: Pick<Database, "pool" | "close">;
  readonly maxLagMs: number;
  /** Told when it is no longer what it was: `follows`, `silent`, `not_standby`. */
  readonly onChange?: (state: ReplicaState) => void;
  /** Told of each read that failed there and is made on the primary. */
  readonly onGaveUp?: (error: unknown) => void;
}

/**
 * Looks at a read replica while somebody asks for it, and never by itself.
 *
 * Its lag is no guess of its clock: each look notes how far the primary was and when, and what the replica has replayed says up to
 * which of these moments it has everything. `pg_last_xact_replay_timestamp()` alone would make every replica of an idle primary
 * late; it is used where it says more.
 */
export function followReplica({ primary, replica, maxLagMs, onChange, onGaveUp }: ReplicaOptions): ReadReplica {
  const { pool } = replica;
  const marks: PrimaryMark[] = [];
  let known: { readonly state: ReplicaState; readonly at: number } | undefined;
  let looking: Promise<ReplicaState> | undefined;
  let isStandby = false;
  let told: ReplicaState["kind"] | undefined;

  const settle = (state: ReplicaState): ReplicaState => {
    // After a silence it may be another server.
    if (state.kind !== "follows") isStandby = false;
    if (told !== state.kind) onChange?.(state);
    told = state.kind;
    known = { state, at: performance.now() };
    return state;
  };
  const measure = async (): Promise<ReplicaState> => {
    try {
      const state = await withDeadline(performance.now() + LOOK_LIMIT_MS, async (): Promise<ReplicaState> => {
        const reason = isStandby ? undefined : await whyNotStandby(primary.pool, pool);
        if (reason !== undefined) return { kind: "not_standby", reason };
        isStandby = true;
        // In this order: what the primary had before is what the replica may have by now.
        const mark = await primaryMark(primary.pool);
        const { recovers, replayed, committedAt } = await replicaMark(pool);
        if (!recovers || replayed === undefined) return { kind: "not_standby", reason: "it takes writes itself" };
        noteMark(marks, mark);
        return { kind: "follows", replayed, ...lagOf(marks, mark, { replayed, committedAt }) };
      });
      return settle(state);
    } catch (error) {
      return settle({ kind: "silent", error });
    } finally {
      looking = undefined;
    }
  };
  return {
    pool,
    maxLagMs,
    async state() {
      if (known !== undefined && performance.now() - known.at < LOOK_EVERY_MS) return known.state;
      // Others may wait for the same look, with other deadlines.
      looking ??= withoutDeadline(measure);
      return known?.state.kind === "silent" ? known.state : looking;
    },
    gaveUp(error, broken) {
      if (broken) known = undefined;
      onGaveUp?.(error);
    },
    async close() {
      await looking;
      await replica.close();
    },
  };
}

/** Keeps what may still be the newest that the replica has. */
function noteMark(marks: PrimaryMark[], mark: PrimaryMark): void {
  // A primary that has gone back is another one.
  if ((marks.at(-1)?.written ?? 0n) > mark.written) marks.length = 0;
  marks.push(mark);
  if (marks.length > MARKS_KEPT) marks.shift();
}

/** @param marks of the primary, oldest first; the last is `now` */
export function lagOf(
  marks: PrimaryMark[],
  now: PrimaryMark,
  { replayed, committedAt }: { readonly replayed: bigint; readonly committedAt: number | undefined },
): { readonly until: number | undefined; readonly behindMs: number; readonly behindBytes: number } {
  const behindBytes = Number(now.written > replayed ? now.written - replayed : 0n);
  if (behindBytes === 0) {
    marks.splice(0, marks.length - 1);
    return { until: now.at, behindMs: 0, behindBytes };
  }
  const last = marks.findLastIndex(({ written }) => written <= replayed);
  marks.splice(0, Math.max(0, last));
  const reached = last < 0 ? undefined : marks[0]?.at;
  if (reached === undefined && committedAt === undefined) return { until: undefined, behindMs: Infinity, behindBytes };
  const until = Math.max(reached ?? 0, committedAt ?? 0);
  return { until, behindMs: Math.max(0, now.at - until), behindBytes };
}
