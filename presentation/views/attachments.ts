import type { AttachedAct } from "@/domain/attachments/acts";

/** The lists that an attached database may have. */
export type AttachedList = "keys" | "outgoing" | "incoming" | "dead";

/** The attached databases of a tenant; never an address with its login. */
export interface AttachmentsView {
  readonly at: string;
  readonly attachments: readonly AttachmentView[];
  /** Databases that a tenant may attach. */
  readonly limit: number;
  /** Whether this person may attach and remove; else the sentence that says why not. */
  readonly whyNot?: string | undefined;
}

export interface AttachmentView {
  readonly id: string;
  readonly name: string;
  /** Host, port and database. */
  readonly shown: string;
  /** As people call the library, or what a table made by hand is. */
  readonly library: string;
  /** The schema that its owner installed. */
  readonly installedAs: string;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Asked now: nothing when it answered, else why it cannot be read. */
  readonly unreachable?: string | undefined;
}

/** The page on which a database is attached. */
export interface AttachmentFormView {
  readonly whyNot?: string | undefined;
  /** The schema that an installation makes unless it is told otherwise. */
  readonly schema: string;
}

/** What was found at an address, and what would become of it; nothing of it is kept. */
export interface LookView {
  readonly at: string;
  /** Host, port and database. */
  readonly shown: string;
  /** The login of the address: the role that the SQL names. */
  readonly login: string;
  /** "17.2" */
  readonly server: string;
  /** Tables that were looked at, by their columns. */
  readonly tables: number;
  readonly recognised: readonly RecognisedView[];
  /** Tables with the name of a library and other columns. */
  readonly nearMisses: readonly RecognisedView[];
  /** Tables that look made by hand, with what their columns are likely to be. */
  readonly guesses: readonly GuessView[];
  /** All of them by name, for whoever maps one by hand. */
  readonly tableNames: readonly string[];
  readonly chosen?: ChosenView | undefined;
  readonly installed: InstalledView;
}

export interface RecognisedView {
  readonly preset: string;
  readonly title: string;
  readonly versions: string;
  /** Theirs. */
  readonly schema: string;
  /** Why, or why not, in a sentence. */
  readonly because: string;
}

/** What each column of a table made by hand is; of keys or of messages. */
export interface MapView {
  readonly table: string;
  readonly keys?: MapFacts | undefined;
  readonly messages?: MapFacts | undefined;
}
export type MapFacts = Readonly<Record<string, MapFact>>;
export type MapFact = string | number | boolean | readonly string[] | Readonly<Record<string, MapFactPart>> | undefined;
export type MapFactPart = string | number | readonly string[] | undefined;

export interface GuessView {
  readonly table: string;
  readonly kind: "keys" | "outbox" | "inbox";
  readonly because: string;
  readonly map: MapView;
}

/** A library or a map that was chosen, with what it can show. */
export interface ChosenView {
  readonly preset: string;
  readonly title: string;
  readonly versions: string;
  /** Their schema, or the table of a map. */
  readonly where: string;
  /** What was mapped, and the columns of its table to map by. */
  readonly map?: { readonly given: MapView; readonly columns: readonly MappedColumnView[] } | undefined;
  /** Why nothing can be made of it: a map that does not fit. */
  readonly problem?: string | undefined;
  readonly constants: readonly ConstantView[];
  readonly lists: readonly ChosenListView[];
  readonly acts: readonly ChosenActView[];
  readonly notes: readonly string[];
  readonly sql?: InstallSqlView | undefined;
}

export interface MappedColumnView {
  readonly name: string;
  readonly type: string;
}

/** What only the owner of the tables knows. */
export interface ConstantView {
  readonly name: string;
  readonly kind: "integer" | "zone" | "interval" | "boolean";
  readonly says: string;
  readonly default?: string | undefined;
  readonly given?: string | undefined;
  /** Why the value that was given cannot be, or that one is missing. */
  readonly problem?: string | undefined;
}

export interface ChosenListView {
  readonly list: AttachedList;
  readonly facts: readonly FactView[];
  readonly preview: PreviewView;
}

/** A column of a list: stored, derived by a rule, or not stored for a reason. */
export interface FactView {
  readonly name: string;
  readonly kind: "stored" | "derived" | "not_stored";
  readonly says?: string | undefined;
}

export type PreviewView =
  | { readonly shown: true; readonly columns: readonly string[]; readonly rows: readonly PreviewRowView[] }
  | { readonly shown: false; readonly because: string };

export interface PreviewRowView {
  readonly state: string;
  /** By the columns of the preview; nothing where there is no value. */
  readonly values: readonly (string | null)[];
}

export interface ChosenActView {
  readonly act: AttachedAct;
  readonly offered: boolean;
  /** Why not, or what it does not do by itself. */
  readonly says?: string | undefined;
}

/** What a database administrator runs, whole and in its steps. */
export interface InstallSqlView {
  readonly file: string;
  readonly look: string;
  /** A statement each, for outside of a transaction. */
  readonly indexes: readonly string[];
  /** Empty where it is for reading only. */
  readonly act: string;
}

/** What the schema of an installation says now. */
export interface InstalledView {
  readonly schema: string;
  /** The preset that installed it; nothing where there is no such schema. */
  readonly preset?: string | undefined;
  readonly findings: readonly FindingView[];
}

export interface FindingView {
  readonly state: "ok" | "note" | "wrong";
  readonly text: string;
  /** The statement that mends it. */
  readonly mend?: string | undefined;
}
