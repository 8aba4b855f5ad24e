import type { OutlookCounts } from "@/presentation/message/outlook";
import type { DeadLetterSettlement } from "@/domain/messages/side";
import type { RequeueVerdict } from "@/domain/messages/requeue-verdict";
import type { ActionView, Page, GlyphText } from "./common";

/** How many rows have which verdict now. */
export type VerdictCounts = Readonly<Partial<Record<RequeueVerdict, number>>>;

export interface DeadLettersView {
  readonly at: string;
  /** Open dead letters of the tenant, exact. */
  readonly open: number;
  /** Open ones of this filter; `more`: at least so many, the rest was not looked at. */
  readonly matching: { readonly count: number; readonly more: boolean };
  /** The first causes, or all that a page may show. */
  readonly groups: readonly DeadLetterGroup[];
  /** Causes there are; `moreGroups`: at least so many. */
  readonly causes: number;
  readonly moreGroups: boolean;
  /** Verdicts of the newest rows of every cause, and how many those are. */
  readonly verdicts: VerdictCounts;
  /** Whether those of them that a requeue would send or handle again get through. */
  readonly outlooks: OutlookCounts;
  readonly judged: number;
  /** The group whose rows are below: the chosen one, else the first. */
  readonly group?: DeadLetterGroup | undefined;
  readonly rows: Page<DeadLetterRow>;
  readonly requeue: ActionView;
  readonly discard: ActionView;
  readonly plan: ActionView;
}

/** Dead letters of one error at one place. */
export interface DeadLetterGroup {
  /** Names it in an address. */
  readonly key: string;
  readonly fingerprint: string;
  readonly side: "outbox" | "inbox";
  readonly place: string;
  /** For people: "webhook to shop.example/hooks". */
  readonly placeLabel: string;
  readonly errorCode: string;
  /** Of the newest. */
  readonly error: string;
  /** Open ones. */
  readonly count: number;
  /** Requeued, closed or discarded before, at most SETTLED_COUNTED. */
  readonly settled: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly types: readonly string[];
  /** Most attempts of one of them. */
  readonly attempts: number;
  /** Operations that its open messages tell of. */
  readonly operations: number;
  /** Of its newest rows, and how many of them were judged. */
  readonly verdicts: VerdictCounts;
  readonly outlooks: OutlookCounts;
  readonly judged: number;
  /** The sentences behind both judgements, the commonest first, at most REASONS of each. */
  readonly reasons: readonly JudgedReason[];
}

export interface JudgedReason {
  readonly of: "safe" | "outlook";
  readonly said: GlyphText;
  /** Judged rows of the group of which it is said. */
  readonly count: number;
}

export interface DeadLetterRow extends Pick<DeadLetterGroup, "side" | "place" | "errorCode" | "error" | "attempts"> {
  readonly id: string;
  /** Id of the outbox or inbox row. */
  readonly messageId: string;
  readonly type: string;
  readonly operationId?: string | undefined;
  readonly deadAt: string;
  readonly requeuedAt?: string | undefined;
  readonly requeuedBy?: string | undefined;
  readonly settlement?: DeadLetterSettlement | undefined;
  /** The message that was sent in its place. */
  readonly correctedBy?: string | undefined;
  readonly reason?: string | undefined;
  /** May it be requeued now? Only in the list of dead letters. */
  readonly verdict?: RequeueVerdict | undefined;
  readonly safe?: GlyphText | undefined;
  /** Would it get through? Of those that a requeue would send or handle again. */
  readonly outlook?: GlyphText | undefined;
  /** Why a requeue, or a discard, would leave it alone now. */
  readonly requeueNot?: string | undefined;
  readonly discardNot?: string | undefined;
}
