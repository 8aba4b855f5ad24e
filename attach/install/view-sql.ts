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

/** What stands behind a view, without its semicolon: also for a look at rows before anything is installed. */
export function selectSql(view: AttachView, source: string, parts: readonly ViewPart<AttachView>[]): string {
  return parts.map((part) => partSql(view, source, part)).join("\nunion all\n");
}

function partSql(view: AttachView, source: string, part: ViewPart<AttachView>): string {
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
  ];
  return `select\n${lines.join(",\n")}\nfrom ${part.from}${part.where === undefined ? "" : `\nwhere ${part.where}`}`;
}

function stateSql(rules: readonly StateRule<AttachView>[]): string {
  const cases = rules.map(({ when, state }) => `\n    when ${when} then ${quoteText(state)}`);
  return `(case${cases.join("")}\n    else 'unknown'\n  end)::text`;
}

/** As the table has it: a cast would keep its index from being walked. */
const orderSql = (column: OrderColumn | undefined): string => column?.sql ?? "null::integer";
