import type { JudgedInboxRow } from "@/presentation/views/inbox";

export interface ArrivedRow {
  readonly row: JudgedInboxRow;
  /** It is another consumer of the message in the row above. */
  readonly continues: boolean;
  /** Of its first row: consumers of the message that the filters are about. */
  readonly consumers: number;
}

/** Puts the consumers of one message together, at the place of the first of them. A page has a message with its consumers, or not at all. */
export function byMessage(rows: readonly JudgedInboxRow[]): readonly ArrivedRow[] {
  const messages = new Map<string, JudgedInboxRow[]>();
  for (const row of rows) {
    const name = `${row.source} ${row.messageId}`;
    messages.set(name, [...(messages.get(name) ?? []), row]);
  }
  return [...messages.values()].flatMap((own) =>
    own.map((row, at) => ({ row, continues: at > 0, consumers: own.length })),
  );
}
