import { afterEach, beforeEach, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { READ_TIMEOUT_MS } from "@/db/bounded-read";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import { readOperationsPage } from "./read-operations-page";

/** Of the database's timeout and the reads around it, ms. */
const TEST_MS = 10 * READ_TIMEOUT_MS.list;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  await desk.make.unknown();
});
afterEach(() => desk.close());

async function readWhileLocked(table: string) {
  const unlock = await desk.lock(table);
  const { filters } = parseOperationFilters({ state: "UNKNOWN_REQUIRES_RECOVERY" });
  try {
    return await readOperationsPage(desk.context(), { filters });
  } finally {
    await unlock();
  }
}

it("TRUTH-2 shows the list without its counts when they are not there in time", { timeout: TEST_MS }, async () => {
  const { list, counts } = await readWhileLocked("count_snapshots");
  expect([list.kind === "page" && list.rows.length, counts]).toEqual([1, {}]);
});

it("TRUTH-2 counts where the list is not there in time", { timeout: TEST_MS }, async () => {
  const { list, counts } = await readWhileLocked("outbox_messages");
  expect([list.kind, counts.UNKNOWN_REQUIRES_RECOVERY?.value]).toEqual(["too_broad", 1]);
});
