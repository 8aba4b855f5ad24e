import type { OperationKind } from "../operation-kind";
import type { AnswerOutcome, InboxState, OperationState, OutboxState, Stage } from "../idempotency/states";

/** Why rows may be missing: there are more than were read, or the oldest are past their retention. */
export type ProofGap =
  | { readonly kind: "cut"; readonly limit: number }
  /** `before`: RFC 3339 or a UTC day; what is older than that is gone. */
  | { readonly kind: "purged"; readonly before: string };

/** Rows of one table as one snapshot saw them. Without a gap they are all there are. */
export interface ProofRows<Row> {
  readonly rows: readonly Row[];
  readonly gap?: ProofGap | undefined;
}

/** Minor units as text, so that no float and no bigint has to leave the server. */
export interface ProofMoney {
  readonly minor: string;
  readonly currency: string;
}

export interface ProofRequest {
  readonly operationId: string;
  readonly operation: string;
  /** As its caller sent it. */
  readonly key: string;
  /** A late retry was executed as a new operation: the row stands under a name of its own. */
  readonly setAside?: boolean | undefined;
  /** Name of the program that owns the key. */
  readonly client: string;
  readonly state: OperationState;
  readonly fence: number;
  readonly responseStatus?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Where a replay finds its answer. */
  readonly replay: "stored" | "reference" | "none";
  readonly account?: string | undefined;
  readonly reference?: string | undefined;
  readonly money?: ProofMoney | undefined;
  readonly createdAt: string;
  readonly completedAt?: string | undefined;
  readonly expiresAt: string;
  readonly bodyPurgedAt?: string | undefined;
}

/** Only while it is not settled. */
export interface ProofOpen {
  readonly stage: Stage;
  readonly lockedUntil?: string | undefined;
  readonly unknownSince?: string | undefined;
  readonly providerKey?: string | undefined;
}

export interface ProofEvent {
  readonly id: string;
  readonly type: string;
  readonly outcome?: AnswerOutcome | undefined;
  readonly requestId?: string | undefined;
  readonly fence?: number | undefined;
  /** SHA-256 of the served bytes, hex. Compared here, never shown. */
  readonly servedHash?: string | undefined;
  readonly at: string;
  /** Of a reconciled or resolved operation: the state it went to. */
  readonly to?: string | undefined;
  readonly actor?: string | undefined;
  /** Of a person's decision: names of what it rests on. */
  readonly evidence?: readonly string[] | undefined;
}

/** A row of the provider's journal; `kind` "lookup" asks and moves nothing. */
export interface ProofCall {
  readonly id: string;
  readonly kind: string;
  readonly providerKey: string;
  readonly state: "prepared" | "sent" | "answered";
  readonly outcome?: string | undefined;
  readonly reference?: string | undefined;
  readonly money?: ProofMoney | undefined;
}

/** A row of the business that carries the operation's id. */
export interface ProofMade {
  /** As its operation's kind names what it makes: `payment`. */
  readonly kind: string;
  readonly id: string;
  /** An account has none: it is there or it is not. */
  readonly status?: string | undefined;
  readonly account?: string | undefined;
  /** Of the business, such as a merchant's reference; of what belongs to another effect, such as a refund, that one's id. */
  readonly reference?: string | undefined;
  readonly money?: ProofMoney | undefined;
  readonly providerKey?: string | undefined;
  readonly providerReference?: string | undefined;
}

export interface ProofMessage {
  readonly id: string;
  readonly type: string;
  readonly state: OutboxState;
  readonly attempts: number;
  /** Where it goes: into our inbox at once, into a broker first, or to a receiver whose inbox is not ours to count. */
  readonly to: "inbox" | "broker" | "elsewhere";
}

export interface ProofArrival {
  readonly id: string;
  readonly consumer: string;
  /** Our own event, not one of somebody else's about the operation. */
  readonly own: boolean;
  readonly messageId: string;
  readonly state: InboxState;
  readonly attempts: number;
  /** Arrivals after the first, with the same bytes and with others. */
  readonly duplicates: number;
  readonly mismatches: number;
  /** What a signed event of the provider says about its object. */
  readonly says?: "succeeded" | "failed" | "processing" | undefined;
  /** The key of ours that this event names. */
  readonly providerKey?: string | undefined;
}

export interface ProofEntry {
  readonly id: string;
  readonly entryType: string;
  /** None: it posts no row of the business. */
  readonly sourceId?: string | undefined;
  readonly operationId: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly money: ProofMoney;
}

export interface ProofNotification {
  readonly id: string;
  readonly key: string;
  /** "receipt". */
  readonly kind: string;
  readonly state: string;
}

/** A kept answer; `hash` is there when it could be opened and hashed, `unreadable` says why it could not. */
export interface ProofAnswer {
  readonly fence: number;
  readonly hash?: string | undefined;
  readonly unreadable?: string | undefined;
}

/** Everything a proof is computed from: rows of one snapshot, all of one tenant and one operation. */
export interface ProofFacts {
  /** Database time of the snapshot, RFC 3339. */
  readonly at: string;
  /** What is registered of its kind. */
  readonly about: OperationKind;
  readonly request: ProofRequest;
  readonly open?: ProofOpen | undefined;
  /** Ids of the operations that hold this key under this name. */
  readonly holders: readonly string[];
  readonly answers: ProofRows<ProofAnswer>;
  readonly events: ProofRows<ProofEvent>;
  readonly calls: ProofRows<ProofCall>;
  readonly made: ProofRows<ProofMade>;
  readonly outbox: ProofRows<ProofMessage>;
  readonly inbox: ProofRows<ProofArrival>;
  readonly ledger: ProofRows<ProofEntry>;
  readonly notifications: ProofRows<ProofNotification>;
}
