import type { AttachView, ColumnOf, ViewState } from "./columns";
import type { Tables, TableSpec } from "./tables";

/** Where the value of a column comes from; the three words that pages use. */
export type ColumnSource =
  | { readonly kind: "stored"; readonly sql: string }
  | { readonly kind: "derived"; readonly sql: string; readonly rule: string }
  | { readonly kind: "not_stored"; readonly reason: string };

/** @param sql an expression over the relations of its part, whose value the library keeps as such */
export const stored = (sql: string): ColumnSource => ({ kind: "stored", sql });

/** @param rule how the value comes about, in one sentence that a page shows */
export const derived = (sql: string, rule: string): ColumnSource => ({ kind: "derived", sql, rule });

/** @param reason why there is no value, in one sentence that a page shows instead of it */
export const notStored = (reason: string): ColumnSource => ({ kind: "not_stored", reason });

/** The first rule that holds for a row names its state. */
export interface StateRule<View extends AttachView> {
  readonly state: ViewState<View>;
  /** A predicate over the raw columns. */
  readonly when: string;
  /** What the library means by it, in one sentence. */
  readonly says: string;
}

/** The columns that order a list, newest last, unique together; as the table has them, so that its index is walked. */
export interface OrderColumn {
  readonly sql: string;
  /** `bigint`, `uuid`, `text`, …: what a cursor is cast to. */
  readonly type: string;
}

/** A view is one part, or several of the same columns below each other. */
export interface ViewPart<View extends AttachView> {
  /** What stands after FROM. */
  readonly from: string;
  /** What stands after WHERE. */
  readonly where?: string;
  readonly columns: Readonly<Record<ColumnOf<View>, ColumnSource>>;
  readonly states: readonly StateRule<View>[];
  readonly order: readonly [OrderColumn] | readonly [OrderColumn, OrderColumn];
}

export type ViewParts = { readonly [View in AttachView]?: readonly ViewPart<View>[] };

/** One row of a table, named by the text before the colon of an id: `out:17`. */
export interface RowPart {
  readonly prefix: string;
  /** How the text after the colon has to look; what looks otherwise is no row. */
  readonly key: "bigint" | "uuid" | "text";
}

/** A guarded change of one row: a statement that returns `was` and `is`, and no row where the guard does not hold. */
export interface ActionPart extends RowPart {
  /** Uses `row_key`, the text after the colon. */
  readonly sql: string;
}

/** A guarded deletion of old rows: a statement that returns `id`, `was` and `is`; uses `before` (timestamptz) and `most` (integer). */
export interface PurgePart {
  readonly sql: string;
}

/** The payload of one row: a statement that returns `codec` and `body` (bytea). */
export interface PayloadPart extends RowPart {
  readonly sql: string;
}

export interface PresetActions {
  readonly requeue?: readonly ActionPart[];
  readonly discard?: readonly ActionPart[];
  readonly purge?: readonly PurgePart[];
}

/** Why an action is not offered, in a sentence that a page shows; each action is here or in `actions`. */
export type Unsafe = { readonly [Action in keyof Required<PresetActions>]?: string };

/** What an action that is offered does not do by itself, in a sentence that a page shows beside it. */
export type ActionCaveats = { readonly [Action in keyof Required<PresetActions>]?: string };

/** An index that makes a list cheap and that the library does not bring. */
export interface WantedIndex {
  readonly says: string;
  /** A whole statement, `CREATE INDEX CONCURRENTLY …`. */
  readonly sql: string;
}

export interface PresetShape {
  readonly views: ViewParts;
  readonly payload: readonly PayloadPart[];
  readonly actions: PresetActions;
  readonly unsafe: Unsafe;
  readonly caveats?: ActionCaveats;
  readonly indexes: readonly WantedIndex[];
}

/** A number, a zone or a name that only the owner of the tables knows. */
export interface Constant {
  readonly kind: "integer" | "zone" | "interval" | "boolean";
  /** What it is for, in one sentence. */
  readonly says: string;
  /** Left out where a wrong value would show wrong times or states: the owner has to say it. */
  readonly default?: string;
}

/** What a preset builds its SQL from; every value is checked and quoted already. */
export interface Given<Table extends string, Name extends string> {
  readonly tables: Tables<Table>;
  /** SQL literals of the constants. */
  readonly constants: Readonly<Record<Name, string>>;
}

/** What Onceboard knows about the tables of one library. `Table` and `Name` are its own names of tables and constants. */
export interface Preset<Table extends string = string, Name extends string = string> {
  readonly id: string;
  /** As people call the library. */
  readonly title: string;
  /** The versions whose tables were looked at. */
  readonly versions: string;
  /** Raised when views or functions change: an older installation is told to install again. */
  readonly revision: number;
  /** The schema that the library uses unless it is told otherwise. */
  readonly schema: string;
  readonly tables: Readonly<Record<Table, TableSpec>>;
  readonly constants: Readonly<Record<Name, Constant>>;
  /** Sentences of its page: what these tables cannot show, and traps. */
  readonly notes: readonly string[];
  readonly shape: (given: Given<Table, Name>) => PresetShape;
}

/** Of the installations of maps that people made, which stand in no list of presets. */
export const MAPPED_REVISION = 2;
/** How the name of such an installation begins. */
export const MAPPED_PREFIX = "mapped-";

/** Checks a preset against its own names of tables and constants, and forgets them: a list of presets has many. */
export const definePreset = <Table extends string, Name extends string = never>(preset: Preset<Table, Name>): Preset =>
  preset;
