import type { ChainView, TimelineView } from "@/presentation/operation/chain";
import type { GlyphName, Tone } from "@/presentation/format/glyph";
import type { Hint } from "@/presentation/message/safe-to-act";
import type { ActionView, Listed, VerdictView } from "./common";
import type { DeadLetterRow } from "./dead-letters";
import type { PlacesView } from "./places";

/** What rows of both sides show alike. */
export interface MessageRow {
  readonly id: string;
  readonly type: string;
  readonly operationId?: string | undefined;
  readonly attempts: number;
  /** Started attempts that never ended; one under way is none of them. */
  readonly unfinished: number;
  readonly maxAttempts: number;
  readonly ageMs: number;
  /** From written to published, or from received to processed. */
  readonly lagMs?: number | undefined;
  readonly nextAttemptAt?: string | undefined;
  readonly owner?: string | undefined;
  readonly lockedUntil?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly error?: string | undefined;
}

/** One page of a side, with what is open in all of it. */
export interface MessagesView<Row extends MessageRow> {
  readonly list: Listed<Row>;
  readonly verdict: VerdictView;
  readonly dead: number;
  readonly oldestMs?: number | undefined;
  /** Undefined: they could not be counted in time. */
  readonly places?: PlacesView | undefined;
}

/** One started attempt of a message. */
export interface AttemptRow {
  /** From 1; a requeue starts over. */
  readonly number: number;
  readonly outcome: "failed" | "dead" | "lost" | "succeeded" | "running";
  readonly who?: string | undefined;
  /** When it was known to have ended; of a running one, when its lease ends. */
  readonly at: string;
  /** Since the attempt before it ended, or since the message was written. */
  readonly afterMs: number;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
}

/** What a message caused or was caused by, in order, with what is missing drawn as a gap. */
export interface CauseRow {
  readonly id: string;
  /** 0 is the first cause. */
  readonly depth: number;
  readonly glyph: GlyphName;
  readonly tone?: Tone | undefined;
  /** "Payment", "payment.succeeded", "ledger handled it", "ledger entry". */
  readonly what: string;
  readonly fact: string;
  readonly href?: string | undefined;
  readonly ref?: string | undefined;
  readonly at?: string | undefined;
  /** The message whose page this is. */
  readonly here?: boolean | undefined;
  readonly gap?: boolean | undefined;
}

export interface NotificationRow {
  readonly id: string;
  readonly key: string;
  readonly kind: string;
  readonly state: "pending" | "sent" | "skipped";
  readonly attempts: number;
  readonly createdAt: string;
  readonly sentAt?: string | undefined;
  readonly outboxId?: string | undefined;
  /** State of the outbox message that carries it. */
  readonly carried?: "pending" | "published" | "dead" | "discarded" | undefined;
  /** By mail: a resend after a crash cannot be told from a second one by the receiver. */
  readonly mail: boolean;
}

export interface NamedText {
  readonly name: string;
  readonly value: string;
}

/** A field of a body; `masked`: its value stays where it is. */
export interface BodyField extends NamedText {
  readonly masked: boolean;
}

/** What the pages of both sides show alike. */
export interface MessageDetail extends Hint {
  readonly at: string;
  readonly attemptsMade: readonly AttemptRow[];
  readonly chain: ChainView;
  readonly causes: readonly CauseRow[];
  /** To scale; undefined while there is nothing to draw. */
  readonly lanes?: TimelineView | undefined;
  /** Of the allow-list; signatures and anything unknown are only counted. */
  readonly headers: readonly NamedText[];
  readonly hiddenHeaders: number;
  readonly deadLetters: readonly DeadLetterRow[];
  readonly actions: readonly ActionView[];
}
