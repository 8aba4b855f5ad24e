import type { ChainView, TimelineView } from "@/presentation/operation/chain";
import type { GlyphName, Tone } from "@/presentation/format/glyph";

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

/** What the pages of both sides show alike. */
export interface MessageCommon {
  readonly attemptsMade: readonly AttemptRow[];
  readonly chain: ChainView;
  readonly causes: readonly CauseRow[];
  /** To scale; undefined while there is nothing to draw. */
  readonly lanes?: TimelineView | undefined;
  /** Of the allow-list; signatures and anything unknown are only counted. */
  readonly headers: readonly NamedText[];
  readonly hiddenHeaders: number;
}
