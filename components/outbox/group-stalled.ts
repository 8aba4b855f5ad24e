import { stalledWords } from "@/presentation/message/message-dialog-claims";
import { cutMiddle } from "@/presentation/format/cut-middle";
import { formatCount } from "@/presentation/format/display-time";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";

export interface GroupedRow {
  readonly row: JudgedOutboxRow;
  readonly heading?: { readonly name: string; readonly text: string } | undefined;
}

const key = (row: JudgedOutboxRow): string => `${row.aggregateType} ${row.aggregateId}`;

/**
 * Puts the messages of an account that stands still right behind the dead message that holds them. Only within the page
 * that was read; every other row keeps its place.
 */
export function groupStalled(rows: readonly JudgedOutboxRow[]): readonly GroupedRow[] {
  const heads = rows.filter(
    (row) =>
      row.state === "dead" &&
      rows.some((other) => other !== row && other.state === "pending" && key(other) === key(row)),
  );
  const stalled = new Map(heads.map((row) => [key(row), row]));
  const groups = [...stalled].map(([name, head]) => ({
    head,
    behind: rows.filter((row) => key(row) === name && row !== head),
  }));
  const rest = rows.filter((row) => !stalled.has(key(row)));
  return [
    ...groups.flatMap(({ head, behind }) => [
      {
        row: head,
        heading: {
          name: `${head.aggregateType} ${cutMiddle(head.aggregateId)}`,
          text: stalledWords({ behind: behind.length, position: head.position }),
        },
      },
      ...behind.map((row) => ({ row })),
    ]),
    ...rest.map((row, index) =>
      index === 0 && groups.length > 0 ? { row, heading: { name: "All others", text: stalledText(rest) } } : { row },
    ),
  ];
}

function stalledText(rows: readonly JudgedOutboxRow[]): string {
  const dead = rows.filter((row) => row.state === "dead").length;
  return `${formatCount(rows.length - dead)} pending, ${formatCount(dead)} dead on this page`;
}
