import type { AnswersView } from "@/presentation/operation/chain";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { Comparison } from "@/presentation/command/compare";
import type { MoneyView, VerdictView } from "./common";
import type { OperationDetail, RequestRow } from "./operations";
import type { ShownState } from "@/domain/lists/filters";

export interface ConflictsView {
  readonly at: string;
  /** The window, RFC 3339: its beginning, and its end, which is not in it. */
  readonly from: string;
  readonly to: string;
  readonly total: number;
  /** There are more in the window; the newest were read. */
  readonly more: boolean;
  readonly groups: readonly ConflictGroup[];
}

export interface ConflictGroup {
  readonly client: string;
  readonly operation: string;
  readonly kind: string;
  /** "POST /payments"; without one its name. */
  readonly route: string;
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Conflicts per 24th part of the window, oldest first. */
  readonly spark: readonly number[];
  readonly differingFields: readonly string[];
  /** Event ids of the group, newest first, at most CONFLICT_IDS. */
  readonly eventIds: readonly string[];
  readonly mark?: ConflictMarkView | undefined;
}

/** How a person marked the conflicts of a group, up to a moment. */
export interface ConflictMarkView {
  readonly mark: "client_fault" | "ours";
  readonly note: string;
  readonly by: string;
  readonly at: string;
  /** Conflicts of the window that came after it: they are new again. */
  readonly newer: number;
}

export interface ConflictPattern {
  readonly name: "amount_x10" | "amount_x100" | "amount_other" | "other_fields";
  readonly label: string;
  readonly count: number;
}

type Identity = Pick<OperationDetail, "operationId" | "key" | "operation" | "kind" | "route" | "account" | "reference">;

export interface ConflictDetail extends Comparison, Identity {
  readonly at: string;
  readonly eventId: string;
  readonly verdict: VerdictView;
  readonly first: CommandSide;
  readonly second: CommandSide;
  /** Of the second: time since the first. */
  readonly laterMs: number;
  readonly sameClient: boolean;
  /** False: values are hidden from this role, names are shown. */
  readonly valuesShown: boolean;
  readonly valuesNote?: string | undefined;
  readonly message: string;
  readonly requests: readonly ConflictRequest[];
  readonly answers: AnswersView;
  /** Its group over seven days, which is what the text to send counts. */
  readonly group: ConflictGroup | undefined;
  /** What kind of slips the newest of the group are, by both commands. */
  readonly patterns: { readonly shares: readonly ConflictPattern[]; readonly read: number };
  readonly mark?: ConflictMarkView | undefined;
  readonly markNot?: string | undefined;
}

export interface CommandSide {
  readonly at: string;
  readonly client: string;
  readonly outcome: AnswerOutcome | "claimed";
  readonly status?: number | undefined;
  /** "9f2c…e81a"; of the second computed from its command. */
  readonly fingerprint?: string | undefined;
  readonly state?: ShownState | undefined;
}

export interface ConflictRequest extends Pick<RequestRow, "eventId" | "outcome" | "at" | "status"> {
  readonly money?: MoneyView | undefined;
}
