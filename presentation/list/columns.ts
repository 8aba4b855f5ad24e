import type { ExportCell } from "./export-writer";

/** How a column of a table looks, whatever the table is of. */
export interface ColumnLook {
  readonly label: string;
  /** The label is only spoken: for row actions. */
  readonly spoken?: boolean | undefined;
  readonly align?: "right" | undefined;
  /** Width in px; without it as wide as the content. */
  readonly width?: number | undefined;
  /** Takes the room that is left; its text may be cut with …. */
  readonly grow?: boolean | undefined;
  /** May wrap to several lines (a verdict is never cut). */
  readonly wrap?: boolean | undefined;
  /** Place in the two-line record of the phone: `left`/`right` fill both lines in order, `full` is a line of its own. Without it hidden. */
  readonly phone?: "left" | "right" | "full" | undefined;
  /** Hidden below 1200 px. */
  readonly wide?: boolean | undefined;
  /** Hidden beside an open pane. */
  readonly roomy?: boolean | undefined;
  /** Its cell carries the link of the row (default: the first column that is `left` on the phone); no link inside it. */
  readonly link?: boolean | undefined;
  /** May be hidden: shown until somebody hides it, or hidden until somebody asks for it. Without it always there. */
  readonly choice?: "on" | "off" | undefined;
}

/** A column of a table: what it says in files, by what it sorts, how it looks. Its name is what addresses and cells know it by. */
export interface Column<Field extends string = string, Sort extends string = string> extends ColumnLook {
  /** Columns of a file that say the same; none for buttons. */
  readonly fields?: readonly Field[] | undefined;
  /** Its cell is the value of its only field. */
  readonly plain?: true | undefined;
  /** Its head sorts by this; `reversed`: an age is least where its time is latest. */
  readonly sort?: { readonly by: Sort; readonly reversed?: true } | undefined;
}

/** The columns of a table by name, in their order. */
export interface TableColumns<Sort extends string = string> {
  /** What the server may sort by; the first is the standard. */
  readonly sorts?: readonly Sort[] | undefined;
  /** Values of a row by the names of a file's columns, in the file's order. */
  readonly fields?: Readonly<Record<string, (row: never) => ExportCell>> | undefined;
  readonly columns: Readonly<Record<string, Column<string, Sort>>>;
}

export type ColumnName<Table extends TableColumns> = keyof Table["columns"] & string;
type PlainName<Table extends TableColumns> = {
  [Name in ColumnName<Table>]: Table["columns"][Name] extends { readonly plain: true } ? Name : never;
}[ColumnName<Table>];
/** Columns whose cells somebody has to draw. */
export type DrawnName<Table extends TableColumns> = Exclude<ColumnName<Table>, PlainName<Table>>;

/** What a plain cell is read from: the row of a page. */
export type PlainRow<Table extends TableColumns> = Table extends {
  readonly fields: Readonly<Record<string, (row: infer Row) => ExportCell>>;
}
  ? Row
  : unknown;

/** Values of a row by the names of a file's columns. */
export type Fields<Field extends string, Row, Filed> = Readonly<
  Record<Field, (row: Row & Partial<Filed>) => ExportCell>
>;

/**
 * Declares a list: every name that its columns use is checked.
 *
 * @typeParam Row as the page of the list has it
 * @typeParam Filed what files say beyond it
 */
export function declareList<Row, Filed = unknown>() {
  return <
    Field extends string,
    const Columns extends Readonly<Record<string, Column<NoInfer<Field>, NoInfer<Sort>>>>,
    Sort extends string = never,
  >(declared: {
    /** Field by which a row is found again: in every file, first. */
    readonly id: NoInfer<Field>;
    readonly sorts?: readonly Sort[];
    readonly fields: Fields<Field, Row, Filed>;
    readonly columns: Columns;
    /** A type alone: what the values of a file are read from. */
    readonly record?: Row & Filed;
  }) => declared;
}

/** A list as its exports know it. */
export interface ExportedList extends TableColumns {
  readonly id: string;
  readonly fields: NonNullable<TableColumns["fields"]>;
  readonly record?: unknown;
}

export type FieldName<List extends ExportedList> = keyof List["fields"] & string;

/** @returns names of columns that an export of the list may ask for, in the list's order: all that say something in a file */
export function exportableColumns({ columns }: TableColumns): readonly string[] {
  return Object.entries(columns).flatMap(([name, { fields }]) => (fields === undefined ? [] : [name]));
}

/**
 * The columns of a file.
 *
 * @param names of `exportableColumns`: what names its row, then each in the list's order; without them all that the list has, in the file's order
 */
export function fieldsOf<List extends ExportedList>(list: List, names?: readonly string[]): readonly FieldName<List>[] {
  const named = Object.entries(list.columns).flatMap(([name, { fields = [] }]) =>
    names?.includes(name) === true ? fields : [],
  );
  const fields = names === undefined ? Object.keys(list.fields) : new Set([list.id, ...named]);
  return [...fields] as FieldName<List>[];
}

/** @returns the values of a row, in the order of these fields */
export function fieldValues<List extends ExportedList>(
  list: List,
  row: NonNullable<List["record"]>,
  fields: readonly FieldName<List>[],
): readonly ExportCell[] {
  return fields.map((name) => list.fields[name]?.(row as never));
}

/** A table that is in no file: its columns are declared where it is drawn. */
export function tableColumns<
  const Columns extends Readonly<Record<string, Omit<Column<never, NoInfer<Sort>>, "plain">>>,
  Sort extends string = never,
>(columns: Columns, sorts?: readonly Sort[]) {
  return { columns, sorts };
}

/** The looks of what is said in a sentence, and of buttons. */
export const SENTENCE = { wrap: true, grow: true, phone: "full" } as const;
export const ACTION = { label: "Action", spoken: true, align: "right", phone: "full", roomy: true } as const;

/** A column as far as choosing goes. */
export interface ChosenColumn extends Pick<ColumnLook, "choice"> {
  readonly id: string;
}

/** Value of `columns=` when every column that may be hidden is. */
const NONE = "none";

/**
 * The columns that an address asks for, in the order of the list. Total: ids that the list does not have are left out, and an
 * address that names none of them means the standard.
 */
export function chosenColumns<Column extends ChosenColumn>(
  columns: readonly Column[],
  asked: string | undefined,
): readonly Column[] {
  const named = new Set(asked?.split(","));
  const known = named.has(NONE) || columns.some(({ id, choice }) => choice !== undefined && named.has(id));
  return columns.filter(({ id, choice }) => choice === undefined || (known ? named.has(id) : choice === "on"));
}

/** @returns the value of `columns=` that shows these ids; undefined: they are the standard */
export function columnsValue(columns: readonly ChosenColumn[], shown: ReadonlySet<string>): string | undefined {
  const choices = columns.filter(({ choice }) => choice !== undefined);
  if (choices.every(({ id, choice }) => shown.has(id) === (choice === "on"))) return undefined;
  const ids = choices.flatMap(({ id }) => (shown.has(id) ? [id] : []));
  return ids.length === 0 ? NONE : ids.join(",");
}
