import { expect, it } from "vitest";
import { sampleInbox } from "@/components/messages/message-samples";
import { byMessage } from "./by-message";

it("puts the consumers of one message together, and keeps the order of messages", () => {
  const of = (id: string, messageId: string, consumer: string) => sampleInbox({ id, messageId, consumer });
  const rows = [of("1", "m1", "ledger"), of("2", "m2", "ledger"), of("3", "m1", "receipts"), of("4", "m1", "webhooks")];
  expect(byMessage(rows).map(({ row, continues, consumers }) => [row.id, continues, consumers])).toEqual([
    ["1", false, 3],
    ["3", true, 3],
    ["4", true, 3],
    ["2", false, 1],
  ]);
});

it("keeps messages of one id from two sources apart", () => {
  const rows = [sampleInbox({ id: "1", source: "a" }), sampleInbox({ id: "2", source: "b" })];
  expect(byMessage(rows).map(({ continues }) => continues)).toEqual([false, false]);
});
