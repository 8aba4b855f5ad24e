import type { DeadLetterRow } from "./dead-letters";
import type { OutboxState } from "@/domain/states";
import type { ActionView, Listed, Said, VerdictView } from "./common";

export interface OutboxRow {
  readonly id: string;
  readonly state: OutboxState;
  readonly topic: string;
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  /** Order inside the database; grows per aggregate. */
  readonly position: string;
  readonly operationId?: string | undefined;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly createdAt: string;
  readonly ageMs: number;
  readonly publishedAt?: string | undefined;
  readonly nextAttemptAt?: string | undefined;
  readonly owner?: string | undefined;
  readonly lockedUntil?: string | undefined;
  readonly errorCode?: string | undefined;
  /** An older message of the same aggregate that is not published yet. */
  readonly behind?: string | undefined;
  /** "ledger processed it at 14:36:09. Sending it again does nothing." */
  readonly safe: Said;
}

export interface OutboxView {
  readonly list: Listed<OutboxRow>;
  readonly verdict: VerdictView;
  readonly pending: number;
  readonly dead: number;
  readonly oldestMs?: number | undefined;
  readonly destinations: readonly DestinationRow[];
}

export interface DestinationRow {
  readonly topic: string;
  readonly pending: number;
  readonly dead: number;
  readonly oldestMs?: number | undefined;
}

export interface OutboxDetail extends OutboxRow {
  readonly at: string;
  readonly error?: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Allow-listed fields plain, the others as dots. */
  readonly payload: readonly { readonly name: string; readonly value: string; readonly masked: boolean }[];
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
