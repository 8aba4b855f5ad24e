import type { AnswersView, ChainView, TimelineView, MiniChainView } from "@/presentation/operation/chain";
import type { MaskedField } from "@/presentation/command/mask";
import type { AnswerOutcome, Stage } from "@/domain/idempotency/states";
import type { KindExpectation, OperationKind } from "@/domain/operation-kind";
import type { ActionView, MoneyView, GlyphText, VerdictView, Listed } from "./common";
import type { AuditRow } from "./audit";
import type { InboxRow } from "./inbox";
import type { NotificationRow } from "./messages";
import type { OutboxRow } from "./outbox";
import type { ServiceRequestRow } from "./service-requests";
import type { ShownState } from "@/domain/lists/filters";

interface OperationFacts {
  readonly operationId: string;
  readonly key: string;
  /** The name that is part of the key's identity: "payments.create". */
  readonly operation: string;
  readonly state: ShownState;
  readonly client: string;
  readonly money?: MoneyView | undefined;
  readonly errorCode?: string | undefined;
  readonly createdAt: string;
}

/** One line of the operations list. Never a body. */
export interface OperationRow extends OperationFacts {
  /** For people: "Payment". */
  readonly kind: string;
  readonly account?: string | undefined;
  readonly reference?: string | undefined;
  readonly ageMs: number;
  readonly answers: AnswersView;
  readonly chain: MiniChainView;
}

/** What is recorded about one operation; verdict, chain, timeline, evidence and actions are computed from it alone. */
export interface OperationRecord extends OperationFacts {
  /** What is registered of its kind, or what its name alone says. */
  readonly about: OperationKind;
  readonly at: string;
  readonly stage?: Stage | undefined;
  readonly responseStatus?: number | undefined;
  readonly completedAt?: string | undefined;
  /** Until then the key is remembered. */
  readonly expiresAt: string;
  readonly unknownSince?: string | undefined;
  readonly nextCheckAt?: string | undefined;
  readonly bodyPurgedAt?: string | undefined;
  readonly fence: number;
  /** How often the key was claimed. */
  readonly attempts: number;
  /** How often its policy lets it be claimed; undefined: its own service decides. */
  readonly maxAttempts?: number | undefined;
  /** The decision of a person that it rests on now; undefined: an answer settled it, or nothing did. */
  readonly settledByHand?: HandSettlement | undefined;
  /** Of the lease, while there is one. */
  readonly owner?: string | undefined;
  readonly lockedUntil?: string | undefined;
  /** How often the provider was asked what became of it, and what it said last. */
  readonly checks: number;
  readonly lastFinding?: string | undefined;
  readonly requests: readonly RequestRow[];
  /** Requests beyond the list's limit are counted here. */
  readonly requestsTotal: number;
  /** There are more events than were read: counts of requests are those of the first ones. */
  readonly eventsCut?: boolean | undefined;
  /** Its claim was committed on its own, before its answer. */
  readonly claimedFirst?: boolean | undefined;
  /** Where a replay finds its answer, decided when the operation settled. */
  readonly replay?: "stored" | "reference" | "none" | undefined;
  readonly leases: readonly LeaseRow[];
  /** What its service was asked, the newest first; only of a kind that a service registered. */
  readonly serviceRequests?: readonly ServiceRequestRow[] | undefined;
  readonly provider: readonly ProviderCallRow[];
  readonly outbox: readonly OutboxRow[];
  readonly inbox: readonly InboxRow[];
  readonly ledger: readonly LedgerRow[];
  readonly webhooks: readonly WebhookFact[];
}

/** Everything one operation's page shows. Bodies stay sealed; only allow-listed fields of the command are plain. */
export interface OperationDetail extends Omit<OperationRecord, "about">, Omit<OperationRow, "chain"> {
  /** "POST /payments"; without one its name. */
  readonly route: string;
  /** Module or service that registered its kind; empty where nobody did. */
  readonly registeredBy: string;
  readonly runsIn: OperationKind["runsIn"];
  /** The service that is asked instead of acting here; undefined: it is acted on here, or nobody registered its kind. */
  readonly service?: string | undefined;
  /** What a success of its kind leaves, as it was registered. */
  readonly leaves: { readonly event: boolean; readonly entry: boolean; readonly money?: KindExpectation["money"] };
  readonly assignedTo?: string | undefined;
  readonly verdict: VerdictView;
  readonly chain: ChainView;
  readonly lanes: TimelineView;
  /** Only while the outcome is unknown or the lease is stale. */
  readonly evidence?: EvidenceView | undefined;
  readonly names: readonly NamedId[];
  readonly policy: readonly NamedFact[];
  readonly command: CommandView;
  /** Messages to people and merchants about it. */
  readonly notifications: readonly NotificationRow[];
  readonly audit: readonly AuditRow[];
  readonly events: readonly EventRow[];
  readonly eventsTotal: number;
  readonly actions: readonly ActionView[];
  /** From this amount a second person approves a decision, and its amount is as much; undefined: one person may decide alone. */
  readonly secondPersonFrom?: MoneyView | undefined;
}

/** An unknown outcome that a person settled with evidence. Whether the provider confirms it is another fact. */
export interface HandSettlement {
  readonly by: string;
  readonly at: string;
  readonly decision: "succeeded" | "failed";
  /** Names of webhook, look-up or document. */
  readonly evidence: readonly string[];
}

/** A signed event of the provider about this operation, as it lies in the inbox. */
export interface WebhookFact {
  readonly inboxId: string;
  readonly messageId: string;
  readonly providerKey: string;
  readonly type: string;
  readonly state: string;
  readonly at: string;
  /** "succeeded", "failed" (declined), "processing", or undefined when it does not say. */
  readonly says: "succeeded" | "failed" | "processing" | undefined;
  readonly minor?: string | undefined;
  readonly currency?: string | undefined;
}

/** One request of the key and its answer, in order of arrival. */
export interface RequestRow {
  readonly number: number;
  readonly eventId: string;
  readonly outcome: AnswerOutcome;
  readonly at: string;
  readonly client?: string | undefined;
  readonly requestId?: string | undefined;
  readonly afterMs?: number | undefined;
  readonly status?: number | undefined;
  readonly tookMs?: number | undefined;
  /** "payload_mismatch", "outcome_unknown, started the operation". */
  readonly told: string;
  /** Of a conflict: names of the fields that differ, links to its comparison. */
  readonly differingFields?: readonly string[] | undefined;
  /** Whether the served bytes were those of the first answer; undefined where no stored answer was served. */
  readonly byteEqual?: boolean | undefined;
}

export interface LeaseRow {
  readonly fence: number;
  readonly owner: string;
  readonly from: string;
  readonly to?: string | undefined;
  /** "completed", "released as unknown", "taken over by fence 3", "held until 14:02:39", "fenced off". */
  readonly ended: string;
  readonly tone: "ink" | "doubt" | "broken";
}

export interface ProviderCallRow {
  readonly id: string;
  /** "charge", "refund", "void", "lookup". */
  readonly kind: string;
  readonly provider: string;
  /** Our key of the effect; another one after a decline that did not bind. */
  readonly providerKey: string;
  readonly state: "prepared" | "sent" | "answered";
  readonly fence: number;
  readonly outcome?: string | undefined;
  readonly reference?: string | undefined;
  readonly money?: MoneyView | undefined;
  readonly detail?: string | undefined;
  readonly preparedAt: string;
  readonly sentAt?: string | undefined;
  readonly answeredAt?: string | undefined;
  readonly tookMs?: number | undefined;
}

export interface EvidenceView {
  readonly leans: "succeeded" | "failed" | "nothing" | "contradiction";
  /** "Leans to succeeded. One final source says so, one is not final, none says otherwise." */
  readonly sentence: string;
  /** What follows from a provider that cannot be asked; undefined when it can. */
  readonly gap?: string | undefined;
  readonly rows: readonly EvidenceRow[];
}

export interface EvidenceRow {
  /** Stable, for `evidence` of a resolve: "webhook:<inbox id>", "answer:<request id>", "lookup:<request id>", "ledger". */
  readonly ref: string;
  readonly source: string;
  readonly note: string;
  readonly says: GlyphText;
  readonly final: boolean;
  readonly money?: MoneyView | undefined;
  /** "same", "other amount", "other currency". */
  readonly moneyNote?: string | undefined;
  readonly at?: string | undefined;
  readonly atNote?: string | undefined;
}

export interface NamedId {
  readonly label: string;
  readonly value?: string | undefined;
  /** Instead of a value: "none yet". */
  readonly none?: string | undefined;
}

export interface NamedFact {
  readonly label: string;
  readonly value: string;
}

export interface CommandView {
  /** "9f2c…e81a". */
  readonly fingerprint: string;
  readonly fingerprintVersion: number;
  readonly apiVersion: string;
  /** `sha256:…` of key, function and version, under which the mesh keeps it; absent where no function of the mesh runs it. */
  readonly meshIdentity?: string | undefined;
  /** `elsewhere`: another service keeps it to itself; `purged`: the body is gone. */
  readonly body: "masked" | "purged" | "unreadable" | "elsewhere";
  readonly fields: readonly CommandField[];
}

export interface CommandField extends MaskedField {
  readonly defaulted: boolean;
}

export interface LedgerRow {
  readonly id: string;
  readonly entryType: string;
  /** The business row that it posts; where it names none, its operation. */
  readonly sourceId: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly money: MoneyView;
  readonly postedAt: string;
}

export interface EventRow {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly outcome?: AnswerOutcome | undefined;
  readonly by?: string | undefined;
  readonly fence?: number | undefined;
  readonly attempt?: number | undefined;
  readonly code?: string | undefined;
}

export interface AttentionRow extends OperationRow {
  /** When the outcome became unknown or the lease ended. */
  readonly since: string;
  readonly forMs: number;
  /** "Look-up says processing, asked 9 times. A signed webhook says succeeded." */
  readonly known: string;
  readonly checks: number;
  readonly nextCheckAt?: string | undefined;
  readonly assignedTo?: string | undefined;
  /** Recovery holds the lease now. */
  readonly beingAsked: boolean;
  /** Of a kind that a service registered: it is asked instead of acting here. */
  readonly service?: string | undefined;
  /** Who asks the service now. */
  readonly askedBy?: string | undefined;
  /** Why asking the provider is offered to nobody. */
  readonly cannotBeAsked?: string | undefined;
}

export interface AttentionView {
  readonly list: Listed<AttentionRow>;
  readonly totals: readonly DoubtTotal[];
  readonly unknown: number;
  readonly stale: number;
  readonly verdict: VerdictView;
}

export interface DoubtTotal {
  readonly money: MoneyView;
  readonly count: number;
}
