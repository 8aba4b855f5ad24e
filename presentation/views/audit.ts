import type { Listed } from "./common";

export interface AuditRow {
  readonly id: string;
  readonly sequence: string;
  readonly at: string;
  readonly actorKind: string;
  readonly actorName: string;
  /** Of an operator, as long as the account exists. */
  readonly actorEmail?: string | undefined;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Of a subject that is a person, as long as the account exists. */
  readonly subjectEmail?: string | undefined;
  readonly href?: string | undefined;
  readonly reason?: string | undefined;
  /** Of a line that stands for several entries, of which this is the newest. */
  readonly fold?: AuditFold | undefined;
}

/** Entries in a row that one plan or one request made. */
export interface AuditFold {
  /** Filter `cause` of the list that shows them one by one: "plan:01a1…", "request:01a1…". */
  readonly cause: string;
  readonly entries: number;
  /** Without repetition, in alphabetical order. */
  readonly actions: readonly string[];
  readonly subjectTypes: readonly string[];
  /** How many different names and reasons are among them; the line has those of the newest. */
  readonly actors: number;
  readonly reasons: number;
  /** Sequence of the oldest. */
  readonly oldest: string;
  /** The window that they lie in, for the same list. RFC 3339 UTC; `to` is behind the newest. */
  readonly from: string;
  readonly to: string;
}

export interface AuditDetail extends AuditRow {
  readonly actorId: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly evidence?: unknown;
  readonly requestId?: string | undefined;
  readonly previousHash: string;
  readonly hash: string;
}

export interface AuditView {
  readonly list: Listed<AuditRow>;
}

export interface AuditVerification {
  readonly at: string;
  /** `unfinished`: there is more behind `checkedTo`; ask again from the entry after it. */
  readonly result: "holds" | "broken" | "unfinished";
  /** First entry of this part. */
  readonly from: string;
  /** Last entry that was checked and holds; with the parts before it, the whole chain up to here. */
  readonly checkedTo: string;
  readonly head: string;
  readonly brokenAt?: string | undefined;
  readonly why?: string | undefined;
  /** The broken entry, where it is still there to be looked at. */
  readonly brokenId?: string | undefined;
  readonly checkpoints: AuditCheckpoints;
}

/** What the chain was held against beside itself. */
export type AuditCheckpoints =
  /** This deployment has no key: whoever owns the database can make all hashes anew. */
  | { readonly kept: "none" }
  /** There is a key, and no checkpoint of this chain that it signed. */
  | { readonly kept: "not yet" }
  | {
      readonly kept: "signed";
      /** When the newest was made, by the clock of the process that made it. */
      readonly at: string;
      /** The entry that it reaches to. */
      readonly covers: string;
      /** Entries since: these can be cut unseen. */
      readonly since: string;
    };
