import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import ts from "typescript";
import { verifyProof, type ProofKey } from "@/client/verify-proof";
import type { SignedProof } from "@/presentation/proof/proof-statement";
import { flaws } from "./support/flaws";
import { expect, test, type ApiFixture } from "./support/fixtures";
import { adminPost, heading, newIdempotencyKey, operationOf, unknownPayment } from "./support/steps";

interface Keys {
  readonly keys: readonly ProofKey[];
}

const claims = (page: Page): Locator => page.getByRole("table", { name: "Claims" }).getByRole("row");
const claim = (page: Page, text: string): Locator => claims(page).filter({ hasText: text });
const proofOf = (operationId: string): string => `/operations/${operationId}/proof`;

async function keysOf(page: Page): Promise<Keys> {
  return (await (await page.request.get("/api/v1/proof-keys")).json()) as Keys;
}

/** The file that a person attaches to a ticket. */
async function downloaded(page: Page): Promise<SignedProof> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download JSON" }).click();
  const file = await waiting;
  const proof = JSON.parse(readFileSync(await file.path(), "utf8")) as SignedProof;
  expect(file.suggestedFilename()).toBe(`proof-${proof.operationId}.json`);
  return proof;
}

/** Executed, replayed, disputed, and posted by the worker. */
async function paid(
  api: ApiFixture,
  amount = "48.30",
): Promise<{ readonly operationId: string; readonly key: string }> {
  const key = newIdempotencyKey("proof");
  const operationId = operationOf(await api.pay(key, amount));
  await api.pay(key, amount);
  await api.pay(key, "483.00");
  await settled(api, operationId);
  return { operationId, key };
}

async function settled(api: ApiFixture, operationId: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await api.rows(
            `select 1 from onceboard.inbox_messages where operation_id = $1 and source = 'onceboard'
             group by operation_id having count(*) = count(*) filter (where state = 'processed')
               and exists (select 1 from payments.ledger_entries l where l.operation_id = $1)`,
            operationId,
          )
        ).length,
    )
    .toBe(1);
}

async function secondEntry(api: ApiFixture, operationId: string): Promise<void> {
  await api.rows(
    `insert into payments.ledger_entries
     select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'entry_type', 'correction'))).*
     from payments.ledger_entries l where l.operation_id = $1`,
    operationId,
  );
}

test("PROOF-1 PROOF-6 a viewer opens the proof of a payment, takes it along, and it holds without asking us", async ({
  page,
  api,
  signIn,
}) => {
  const { operationId, key } = await paid(api);
  await signIn("viewer", `/operations/${operationId}`);
  await page.getByRole("link", { name: "Proof", exact: true }).click();
  await expect(page).toHaveURL(proofOf(operationId));
  await expect(heading(page)).toContainText("Money moved once. 3 requests, 1 execution, 1 provider call, 1 event,");
  await expect(page).toHaveTitle(/^Proof: Money moved once\. /);
  await expect(page.getByRole("article", { name: "Proof" })).toContainText("Proven");
  await expect(claims(page)).not.toHaveCount(0);
  await expect(page.getByRole("img", { name: "Holds" })).toHaveCount((await claims(page).count()) - 1);

  // Every stable name is on one page.
  const names = page.getByRole("region", { name: "Stable names" });
  for (const name of [
    "Client key",
    "Operation",
    "Payment",
    "Provider key",
    "Provider reference",
    "Ledger entry",
    "Receipt key",
  ])
    await expect(names.getByText(name, { exact: true })).toBeVisible();
  await expect(names.getByRole("button", { name: `Copy ${key}` })).toBeVisible();

  const [trusted, proof] = [await keysOf(page), await downloaded(page)];
  expect(proof).toMatchObject({ verdict: "proven", operationId });
  expect(await verifyProof(proof, trusted)).toBe(true);
  expect(await verifyProof({ ...proof, verdict: "broken" }, trusted)).toBe(false);

  // The same function in a browser: what a third party runs on a page of its own.
  const source = readFileSync("client/verify-proof.ts", "utf8").replaceAll("export ", "");
  const script = ts.transpile(source, { target: ts.ScriptTarget.ES2022 });
  const inBrowser = (document: unknown): Promise<unknown> =>
    page.evaluate(
      `(() => { ${script}; return verifyProof(${JSON.stringify(document)}, ${JSON.stringify(trusted)}); })()`,
    );
  expect(await inBrowser(proof)).toBe(true);
  expect(await inBrowser({ ...proof, issuedAt: "2020-01-01T00:00:00.000000Z" })).toBe(false);

  await claim(page, "The other command under this key never ran.").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/conflicts\?open=/);
});

test("PROOF-2 a second ledger entry breaks the proof before anything else is read", async ({ page, api, signIn }) => {
  const { operationId } = await paid(api);
  await secondEntry(api, operationId);
  await signIn("viewer", proofOf(operationId));
  await expect(heading(page)).toContainText("Proof failed. 2 ledger entries where 1 belongs.");
  await expect(page.getByText("Something that must hold does not.")).toBeVisible();
  const first = claims(page).nth(1);
  await expect(first.getByRole("img", { name: "Fails" })).toBeVisible();
  await expect(first).toContainText("One ledger entry was posted.");
  await expect(first.getByRole("cell").nth(2)).toContainText("2");
  const proof = await downloaded(page);
  expect(proof.verdict).toBe("broken");
  expect(await verifyProof(proof, await keysOf(page))).toBe(true);
});

test("PROOF-3 an unknown outcome is open and says what is missing; settled, it becomes proven by itself", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const { operationId } = await unknownPayment(api, "734.19");
  await signIn("operator", proofOf(operationId));
  await expect(heading(page)).toContainText("Not settled yet. It is not known yet whether money moved.");
  await expect(page.getByText("What is missing.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Stable names" })).toContainText("none yet");
  const answer = await adminPost(page, stack, `/operations/${operationId}/reconcile`, {
    reason: "the provider is back",
  });
  expect(answer.status()).toBe(200);
  await expect(heading(page)).toContainText("Money moved once. 1 request, 1 execution,");
  await expect(page.getByText("What is missing.")).toBeHidden();
});

test("PROOF-3 a decline proves that no money moved; a purged answer is not counted as proven", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const declined = operationOf(await api.pay(newIdempotencyKey("declined"), "20.51"));
  await signIn("operator", proofOf(declined));
  await expect(heading(page)).toContainText("No money moved. The refusal is final.");
  await expect(claim(page, "No ledger entry was posted.")).toContainText("no row");

  const { operationId } = await paid(api);
  await adminPost(page, stack, `/operations/${operationId}/purge-body`, { reason: "a request of the customer" });
  await page.goto(proofOf(operationId));
  await expect(heading(page)).toContainText("Money moved once. Not all of it can still be shown.");
  await expect(page.getByText("What cannot be shown, and is not counted as proven.")).toBeVisible();
  await expect(claims(page).nth(1)).toContainText("The kept answer was purged on");
});

test("PROOF-1 a link to a proof leads to its tenant, and a proof that is not there says so", async ({
  page,
  api,
  signIn,
}) => {
  const { operationId } = await paid(api);
  await api.rows("insert into onceboard.tenants (id, name) values ('zz-proof', 'zz-proof') on conflict do nothing");
  await signIn("viewer", "/operations?tenant=zz-proof");
  await expect(page.getByRole("banner")).toContainText("zz-proof");
  await page.goto(proofOf(operationId));
  await expect(heading(page)).toContainText("Money moved once.");
  await page.goto(proofOf("0198aaaa-0000-7000-8000-000000000000"));
  await expect(heading(page)).toHaveText("Not found.");
});

test("PROOF-8 a proof prints on one sheet: no rail, no buttons, every id in full", async ({ page, api, signIn }) => {
  const { operationId } = await paid(api);
  await page.emulateMedia({ colorScheme: "dark" });
  await signIn("viewer", proofOf(operationId));
  await expect(heading(page)).toContainText("Money moved once.");
  const sheet = await page.pdf({ format: "A4" });
  expect(sheet.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Places" })).toBeHidden();
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  const id = claim(page, "One row holds the key.").locator("[title]");
  expect(await id.evaluate((element) => getComputedStyle(element, "::after").content)).toBe(`"${operationId}"`);
  expect(await heading(page).evaluate((element) => getComputedStyle(element).color)).toBe("rgb(20, 25, 28)");
});

for (const [width, scheme] of [
  [1440, "light"],
  [390, "dark"],
] as const) {
  test(`UI-4 proofs of every verdict at ${String(width)} px, ${scheme}: nothing sticks out, no finding of axe`, async ({
    page,
    api,
    stack,
    signIn,
  }) => {
    const [proven, broken, partial] = [await paid(api, "11.10"), await paid(api, "11.20"), await paid(api, "11.30")];
    const { operationId: open } = await unknownPayment(api, "11.40");
    await secondEntry(api, broken.operationId);
    await signIn("operator", "/settings");
    await adminPost(page, stack, `/operations/${partial.operationId}/purge-body`, { reason: "for its proof" });
    const found: string[] = [];
    for (const id of [proven.operationId, broken.operationId, partial.operationId, open])
      found.push(...(await flaws(page, proofOf(id), [width], [scheme])));
    expect(found).toEqual([]);
  });
}
