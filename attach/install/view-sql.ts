import { VIEW_COLUMNS, type AttachView } from "../contract/columns";
import type { ColumnSource, OrderColumn, StateRule, ViewPart } from "../contract/preset";
import { quoteName, quoteText } from "../contract/tables";

/** A view of one column list, whichever tables stand behind it. */
export function viewSql(
  schema: string,
  view: AttachView,
  source: string,
  parts: readonly ViewPart<AttachView>[],
): string {
  return `create view ${quoteName(schema)}.${view} as\n${selectSql(view, source, parts)};`;
}

/** Says of a row of a part whether it is in the view. */
const WITHIN = "onceboard_within";

/** What stands behind a view, without its semicolon: also for a look at rows before anything is installed. */
export function selectSql(view: AttachView, source: string, parts: readonly ViewPart<AttachView>[]): string {
  const [only, ...others] = parts;
  if (only === undefined || others.length === 0 || parts.every(({ where }) => where === undefined))
    return parts.map((part) => partSql(view, source, part, whereSql(part))).join("\nunion all\n");
  // PostgreSQL walks the indexes of several tables in one order only where no part has a condition of its own: it sorts all of their rows
  // otherwise. A condition on all of it goes to each table, and finds the indexes that are made for it.
  const all = parts.map((part) => partSql(view, source, part, "", [`  (${part.where ?? "true"}) as ${WITHIN}`]));
  const names = ["source", ...Object.keys(VIEW_COLUMNS[view]), "state", "order_1", "order_2"];
  return `select ${names.join(", ")}\nfrom (\n${all.join("\nunion all\n")}\n) as parts\nwhere ${WITHIN}`;
}

const whereSql = ({ where }: ViewPart<AttachView>): string => (where === undefined ? "" : `\nwhere ${where}`);

function partSql(
  view: AttachView,
  source: string,
  part: ViewPart<AttachView>,
  where: string,
  more: readonly string[] = [],
): string {
  const columns = Object.entries(VIEW_COLUMNS[view]).map(([name, type]) => {
    const value = (part.columns as Readonly<Record<string, ColumnSource>>)[name];
    return `  ${value === undefined || value.kind === "not_stored" ? "null" : `(${value.sql})`}::${type} as ${name}`;
  });
  const lines = [
    `  ${quoteText(source)}::text as source`,
    ...columns,
    `  ${stateSql(part.states)} as state`,
    `  ${orderSql(part.order[0])} as order_1`,
    `  ${orderSql(part.order[1])} as order_2`,
    ...more,
  ];
  return `select\n${lines.join(",\n")}\nfrom ${part.from}${where}`;
}

function stateSql(rules: readonly StateRule<AttachView>[]): string {
  const cases = rules.map(({ when, state }) => `\n    when ${when} then ${quoteText(state)}`);
  return `(case${cases.join("")}\n    else 'unknown'\n  end)::text`;
}

/** As the table has it: a cast would keep its index from being walked. */
const orderSql = (column: OrderColumn | undefined): string => column?.sql ?? "null::integer";
