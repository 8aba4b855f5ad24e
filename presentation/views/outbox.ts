import type { DeadLetterRow } from "./dead-letters";
import type { OutboxState } from "@/domain/idempotency/states";
import type { Hint } from "@/presentation/message/safe-to-act";
import type { ActionView, Listed, VerdictView } from "./common";
import type { MessageCommon } from "./messages";
import type { PlacesView } from "./places";

export interface OutboxRow {
  readonly id: string;
  readonly state: OutboxState;
  readonly topic: string;
  /** For people: "webhook to shop.example". */
  readonly topicLabel: string;
  /** What carries it, or carried it; none when a person closed it. */
  readonly transport?: string | undefined;
  /** It carries a notification, not an event of ours. */
  readonly notification: boolean;
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  /** Order inside the database; grows per aggregate. */
  readonly position: string;
  readonly operationId?: string | undefined;
  readonly attempts: number;
  /** Started attempts that never ended; one under way is none of them. */
  readonly unfinished: number;
  readonly maxAttempts: number;
  readonly createdAt: string;
  readonly ageMs: number;
  readonly publishedAt?: string | undefined;
  readonly publishedBy?: string | undefined;
  /** From written to published. */
  readonly lagMs?: number | undefined;
  readonly nextAttemptAt?: string | undefined;
  readonly owner?: string | undefined;
  readonly lockedUntil?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly error?: string | undefined;
  /** Its topic is paused. */
  readonly paused: boolean;
  /** An older message of the same aggregate that is not published yet. */
  readonly behind?: string | undefined;
}

/** With the verdict on sending it again. */
export type JudgedOutboxRow = OutboxRow & Hint;

export interface OutboxView {
  readonly list: Listed<JudgedOutboxRow>;
  readonly verdict: VerdictView;
  readonly pending: number;
  readonly dead: number;
  readonly oldestMs?: number | undefined;
  /** Undefined: they could not be counted in time. */
  readonly places?: PlacesView | undefined;
}

export interface OutboxDetail extends OutboxRow, Hint, MessageCommon {
  readonly at: string;
  /** As the operator set it for the topic. */
  readonly destination?: string | undefined;
  /** The body as it is delivered, masked: the same on every attempt. */
  readonly envelope: readonly { readonly name: string; readonly value: string; readonly masked: boolean }[];
  readonly contentType: string;
  /** Who has recorded this message id on the other side. */
  readonly consumers: readonly {
    readonly inboxId: string;
    readonly consumer: string;
    readonly state: string;
    readonly at: string;
  }[];
  readonly deadLetters: readonly DeadLetterRow[];
  readonly actions: readonly ActionView[];
}
