import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures";
import { PEOPLE } from "./support/stack-info";
import { newIdempotencyKey, operationOf } from "./support/steps";

const VIEWER = PEOPLE.find(({ role }) => role === "viewer")?.name ?? "";

async function taken(page: Page, name: string): Promise<{ file: string; lines: string[] }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name, exact: true }).click();
  const download = await downloading;
  const text = await readFile(await download.path(), "utf8");
  return { file: download.suggestedFilename(), lines: text.trimEnd().split("\r\n") };
}

test("EXPORT-1 a viewer takes the answers of a key, the outcomes and the arrivals as CSV", async ({
  page,
  api,
  signIn,
}) => {
  const key = newIdempotencyKey("csv");
  const paid = await api.pay(key);
  await api.pay(key);
  await signIn("viewer", `/operations/${operationOf(paid)}`);
  const log = await taken(page, "CSV");
  expect(log.file).toMatch(/^retry-log-acme-\d{8}T\d{6}Z\.csv$/);
  expect(log.lines[0]).toBe("attempt,delay_ms,status,code,notes");
  expect(log.lines[1]).toBe("1,0,200,201,success");

  await api.post("/payments", key, { accountId: "acc_other", amount: "77.00", currency: "EUR" });
  await page.goto("/conflicts");
  const outcomes = await taken(page, "CSV of answers");
  expect(outcomes.lines[0]).toBe("key,payload_hash,status,http_code,result_id,notes");
  const ofKey = outcomes.lines.filter((line) => line.startsWith(`${key},`)).map((line) => line.split(",")[5]);
  expect(ofKey.filter((notes) => notes !== "replayed")).toEqual(["created", "payload mismatch"]);

  await page.goto("/inbox?consumer=ledger");
  const arrivals = await taken(page, "CSV of arrivals");
  expect(arrivals.lines[0]).toBe("event_id,source,first_seen,processed,result");
  const entries = await api.rows<{ action: string; actor_name: string }>(
    "select action, actor_name from onceboard.audit_entries where action like 'exports.%' order by sequence desc limit 3",
  );
  expect(entries.map(({ action, actor_name }) => `${action} by ${actor_name}`)).toEqual([
    `exports.consumer_inbox by ${VIEWER}`,
    `exports.replay_outcomes by ${VIEWER}`,
    `exports.retry_log by ${VIEWER}`,
  ]);
});
