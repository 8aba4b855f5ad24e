import type { Database } from "@/db/client";
import { callMany, type ManyCall } from "../together/call-many";
import { BATCH_COUNTS_MS, BATCH_LOCK_TIMEOUT_MS, batchPerPool, inLockOrder } from "../together/together";
import type { TurnBatch } from "../together/turn-batch";
import { answerAndConfirmProvider, markSent, type ProviderAnswerInput } from "./provider-calls";

/** Steps of owners on the provider path that commit by themselves: each goes in one statement with those of the same turn. */
const STEPS_TOGETHER = { rows: 64, bytes: 262_144, atOnce: 4, countsMs: BATCH_COUNTS_MS, waiting: 1_000 };
/** About what a step without texts takes. */
const STEP_BYTES = 128;

interface OwnerStep {
  readonly tenantId: string;
  readonly operationId: string;
  readonly fence: number;
  readonly requestId: string;
}

export type ConfirmStep = OwnerStep & ProviderAnswerInput;

/** @param one the step by itself */
function together<Step extends OwnerStep, Name extends keyof Step & string>(
  call: ManyCall<Name>,
  bytesOf: (step: Step) => number,
  one: (pool: Database["pool"], step: Step) => Promise<boolean>,
): (pool: Database["pool"]) => TurnBatch<Step, boolean> {
  return batchPerPool<Step, boolean>((pool) => ({
    limits: STEPS_TOGETHER,
    bytesOf,
    groupOf: ({ tenantId }) => tenantId,
    one: (step) => one(pool, step),
    many: (steps) =>
      inLockOrder(
        steps,
        ({ tenantId, operationId }) => JSON.stringify([tenantId, operationId]),
        async (sorted) => {
          const rows = await callMany<{ readonly done: boolean }, Name>(pool, call, sorted, BATCH_LOCK_TIMEOUT_MS);
          return rows.map(({ done }) => done);
        },
      ),
  }));
}

const STEP_TYPES = { tenantId: "text", operationId: "uuid", fence: "integer", requestId: "uuid" } as const;

const sent = together<OwnerStep, keyof typeof STEP_TYPES>(
  {
    name: "mark_sent_many",
    types: STEP_TYPES,
    call: (v) =>
      `(select onceboard.mark_sent(${v("tenantId")}, ${v("operationId")}, ${v("fence")}, ${v("requestId")}) as done)`,
  },
  () => STEP_BYTES,
  (pool, { tenantId, operationId, fence, requestId }) => markSent(pool, tenantId, operationId, fence, requestId),
);

const CONFIRM_TYPES = { ...STEP_TYPES, outcome: "text", reference: "text", detail: "text" } as const;

const confirmed = together<ConfirmStep, keyof typeof CONFIRM_TYPES>(
  {
    name: "answer_and_confirm_provider_many",
    types: CONFIRM_TYPES,
    // The operation's row first, in the order of mark_sent.
    call: (v) =>
      `(select onceboard.confirm_provider(${v("tenantId")}, ${v("operationId")}, ${v("fence")}) as done,
        onceboard.answer_provider(${v("tenantId")}, ${v("requestId")}, ${v("outcome")}, ${v("reference")}, ${v("detail")}))`,
  },
  ({ reference = "", detail = "" }) => STEP_BYTES + reference.length + detail.length,
  (pool, step) => answerAndConfirmProvider(pool, step),
);

/** As {@link markSent}, in one statement and one commit with those of the same turn. @returns false when fenced: send nothing */
export function markSentTogether(db: Pick<Database, "pool">, step: OwnerStep): Promise<boolean> {
  return sent(db.pool).submit(step);
}

/** As {@link answerAndConfirmProvider}, in one statement and one commit with those of the same turn. @returns false when fenced */
export function confirmTogether(db: Pick<Database, "pool">, step: ConfirmStep): Promise<boolean> {
  return confirmed(db.pool).submit(step);
}
