import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { confirmDialog, heading, onlyForPeople, providerRecord } from "./support/steps";
import { expect, test, type ApiFixture } from "./support/fixtures";
import type { StackInfo } from "./support/stack-info";

/** The four incidents of docs/TOUR.md: played by the command that a reader types, put right as the tour says. */
interface Incident {
  /** Everything that it has said so far. */
  said(): string;
  /** Its trouble is over: it is told to stop, as by Ctrl-C, and mends what it broke. One of no seconds ends by itself. */
  over(): Promise<void>;
}

function play(stack: StackInfo, keysPath: string, name: string, seconds: number): Incident {
  const clients = ["till-web", "partner-lumen", "billing-cron"];
  writeFileSync(keysPath, JSON.stringify(clients.map((client) => ({ tenant: "acme", name: client, key: stack.key }))));
  const port = (url: string): string => new URL(url).port;
  const child: ChildProcess = spawn(
    process.execPath,
    ["--import", "tsx", "cli/incident.ts", name, "--for", String(seconds), "--keys", keysPath],
    {
      env: { ...process.env, PORT: port(stack.baseUrl), SANDBOX_PORT: port(stack.sandboxUrl) },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = once(child, "exit");
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return {
    said: () => text,
    async over() {
      // A signal that meets a process on its way out, whose handlers are gone, would be how it ended.
      if (seconds > 0 && child.exitCode === null) child.kill("SIGTERM");
      const [code] = (await ended) as [number | null];
      expect(code, text).toBe(0);
    },
  };
}

const operationsOf = (api: ApiFixture, keys: string): Promise<{ operation_id: string; state: string }[]> =>
  api.rows("select operation_id, state from onceboard.idempotency_requests where key like $1 order by key", keys);

test("incident lost-answer: nobody knows, the provider is asked, the retries get the answer", async ({
  page,
  api,
  stack,
  signIn,
}, info) => {
  const incident = play(stack, info.outputPath("keys.json"), "lost-answer", 120);
  await expect.poll(() => incident.said()).toContain("Then press");
  expect(incident.said()).toMatch(/told 504[\s\S]*409 idempotency\.outcome_unknown/);
  const id = /\/operations\/([0-9a-f-]{36})/.exec(incident.said())?.[1] ?? "none";
  await onlyForPeople(api, id);
  await signIn("operator", `/operations/${id}`);
  await expect(heading(page)).toContainText("Outcome unknown");
  await incident.over();
  expect(incident.said()).toContain("The provider can be asked again.");
  await page.goto(`/operations/${id}?dialog=reconcile`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Ask the provider" }).click();
  await expect(dialog.getByRole("status")).toContainText("1 done, 0 skipped.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(heading(page)).toContainText("Executed once.");
  await expect(heading(page)).toContainText("Ledger posted.");
  expect((await providerRecord(api, stack, id)).entries).toHaveLength(1);
});

test("incident cart-id: two bodies under one key are compared, and marked as the client's fault", async ({
  page,
  stack,
  signIn,
}, info) => {
  const incident = play(stack, info.outputPath("keys.json"), "cart-id", 0);
  await expect.poll(() => incident.said()).toContain("4 requests were refused");
  await incident.over();
  await signIn("operator", "/conflicts?client=till-web");
  await page.locator("main a[href*='open=']").first().click();
  const differs = page.getByRole("row").filter({ has: page.getByRole("img", { name: "Differs in meaning" }) });
  await expect(differs).toContainText("amount");
  await page.getByRole("link", { name: /Mark as client fault|Change the mark/ }).click();
  const dialog = page.getByRole("dialog");
  await confirmDialog(page, "Mark 1 group", "the till uses its cart's id as the key");
  await expect(dialog.getByRole("status")).toContainText("Done.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText(/the till uses its cart's id as the key/).first()).toBeVisible();
});

/** A button that stays disabled so long will not be enabled. */
const PATIENCE_MS = 2_000;

test("incident provider-outage: all that is in doubt becomes certain by one plan", async ({
  page,
  api,
  stack,
  signIn,
}, info) => {
  const incident = play(stack, info.outputPath("keys.json"), "provider-outage", 120);
  await expect.poll(() => incident.said()).toContain("Then plan to reconcile");
  const unknown = async () =>
    (await operationsOf(api, "outage-%")).filter(({ state }) => state === "UNKNOWN_REQUIRES_RECOVERY");
  expect(await unknown()).toHaveLength(12);
  for (const { operation_id: id } of await unknown()) await onlyForPeople(api, id);
  await signIn("operator", "/attention");
  await expect(heading(page)).toContainText("may have moved money.");
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await expect(bar).toContainText(/^\d+ selected, .*\d\.\d\d/);
  const usual = page.viewportSize();
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(bar).toBeInViewport({ ratio: 1 });
  }
  if (usual !== null) await page.setViewportSize(usual);
  await page.getByRole("button", { name: "Plan a reconcile" }).click();
  await confirmDialog(page, "Freeze and judge", "the provider was away");
  await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/);
  // The dry run asked a provider that was away: nothing final, so nothing is left to run until it is asked again.
  await expect(heading(page)).toContainText("still unknown");
  await incident.over();
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: /^Ask again about \d+$/ }).click();
  await dialog.getByRole("button", { name: /^Ask about \d+ rows$/ }).click();
  await expect(dialog.getByRole("status")).toContainText("Asking the provider.");
  await dialog.getByRole("button", { name: "Close" }).click();
  // Answers still come in: a dialog whose number changed says so, and a person closes it and looks again.
  await expect(async () => {
    const cancel = dialog.getByRole("button", { name: "Cancel" });
    if (await cancel.isVisible()) await cancel.click();
    await page.getByRole("link", { name: /^Start \d+$/ }).click();
    await dialog.getByRole("button", { name: /^Start \d+$/ }).click({ timeout: PATIENCE_MS });
    // An answer that came in just before the press: the dialog sent nothing and says so.
    const status = dialog.getByRole("status");
    await expect(status).toContainText(/Started\.|This changed since you opened it\./);
    expect(await status.textContent()).toContain("Started.");
  }).toPass();
  await dialog.getByRole("button", { name: "Close" }).click();
  // Seven reached the provider: they are certain. Five never did: what is absent is sent again or given back, never twice.
  await expect
    .poll(
      async () => {
        await api.rows(
          "update onceboard.idempotency_open set next_check_at = now() where key like 'outage-%' and locked_until is null and next_check_at > now()",
        );
        return (await unknown()).length;
      },
      { timeout: 30_000 },
    )
    .toBe(0);
  await expect(heading(page)).toContainText(/became certain/);
  for (const { operation_id: id } of await operationsOf(api, "outage-%")) {
    const { entries } = await providerRecord(api, stack, id);
    expect(entries.length).toBeLessThanOrEqual(1);
  }
});

test("incident poison-message: what no consumer can read is given up, judged and discarded", async ({
  page,
  api,
  stack,
  signIn,
}, info) => {
  await api.rows(
    "update onceboard.dead_letters set settled_at = now(), settled_by = 'an earlier test', settlement = 'requeued' where settled_at is null",
  );
  const incident = play(stack, info.outputPath("keys.json"), "poison-message", 0);
  await expect.poll(() => incident.said()).toContain("given up");
  await incident.over();
  const given = async () => {
    // Their pauses are not waited for: the attempts of what already failed are used up.
    await api.rows(
      `update onceboard.inbox_open set attempts_started = greatest(attempts_started, 4),
  attempts_finished = greatest(attempts_finished, 4), next_attempt_at = now()
where locked_until is null and attempts_finished > 0`,
    );
    return api.rows("select id from onceboard.dead_letters where settled_at is null and side = 'inbox'");
  };
  await expect.poll(async () => (await given()).length).toBe(4);
  await signIn("operator", "/dead-letters");
  await expect(heading(page)).toContainText("4 messages are dead.");
  await page
    .getByRole("table", { name: "Causes" })
    .getByRole("row", { name: /webhook\.malformed/ })
    .getByRole("link")
    .first()
    .click();
  await page.getByRole("link", { name: "Plan a discard of all 4" }).click();
  await confirmDialog(page, "Freeze 4 messages", "the answers settled these payments already");
  await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/);
  await expect(heading(page)).toContainText("4 frozen. 4 would be discarded");
  await page.getByRole("link", { name: "Start 4" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Start 4" }).click();
  await expect(dialog.getByRole("status")).toContainText("Started.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(heading(page)).toContainText("All 4 were discarded.", { timeout: 30_000 });
  await page.goto("/dead-letters");
  await expect(heading(page)).toContainText("No message is dead.");
});
