import { randomUUID } from "node:crypto";
import { backdate, keptFromTheWorker } from "./support/aged-bodies";
import { expect, test } from "./support/fixtures";
import { adminPost, audited, newIdempotencyKey, operationOf, unknownPayment } from "./support/steps";

test("ACTION-1 two clicks of the verb act once, and the second is told so", async ({ page, api, stack, signIn }) => {
  const operationId = operationOf(await api.pay(newIdempotencyKey("twice"), "27.50"));
  // Younger than its policy keeps it, its body is not offered to be purged.
  await signIn("operator", `/operations/${operationId}?dialog=purge`);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Purge 1 body" })).toBeDisabled();
  await expect(page.getByRole("dialog")).toContainText("Its policy keeps the body for 24 h more.");
  await backdate(api, [operationId]);
  const letGo = await keptFromTheWorker(stack, [operationId]);
  await page.reload();
  const answers: { readonly replayed: boolean; readonly status: number; readonly text: Promise<string> }[] = [];
  page.on("response", (response) => {
    if (!response.url().endsWith("/purge-body")) return;
    const replayed = response.headers()["idempotent-replayed"] === "true";
    answers.push({ replayed, status: response.status(), text: response.text() });
  });
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason, kept in the audit").fill("the customer asked for it");
  await letGo();
  await dialog.getByRole("button", { name: "Purge 1 body" }).dblclick();
  await expect.poll(() => answers.length).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.filter(({ replayed }) => replayed)).toHaveLength(1);
  const [one, other] = await Promise.all(answers.map(({ text }) => text));
  expect(other).toBe(one);
  await expect(dialog.getByRole("status")).toContainText(/Done\.|Already done\./);
  expect(await audited(api, operationId)).toHaveLength(1);
});

test("clicked again after the answer, the dialog says that it was done already", async ({ page, api, signIn }) => {
  const { operationId } = await unknownPayment(api, "58.11", { timeout_after_accept: 0, processing: 1 });
  await signIn("operator", `/operations/${operationId}?dialog=reconcile`);
  const dialog = page.getByRole("dialog");
  // The provider says "processing" for ever, so the operation stays open and the verb stays on.
  await dialog.getByRole("button", { name: "Ask the provider" }).click();
  await expect(dialog.getByRole("status")).toContainText("Done.");
  await dialog.getByRole("button", { name: "Ask the provider" }).click();
  await expect(dialog.getByRole("status")).toContainText("Already done.");
  await expect(dialog.getByRole("status")).toContainText("Nothing ran twice.");
  expect(await audited(api, operationId)).toHaveLength(1);
});

test("two calls with one key reconcile once", async ({ page, api, stack, signIn }) => {
  const { operationId } = await unknownPayment(api, "59.12");
  await signIn("operator", "/");
  const key = randomUUID();
  const call = () =>
    adminPost(page, stack, `/operations/${operationId}/reconcile`, { reason: "the provider is back" }, { key });
  const both = await Promise.all([call(), call()]);
  // The slower one is answered with the first answer, or is told to come again while that is at work.
  for (const answer of both) expect([200, 409]).toContain(answer.status());
  const again = await call();
  expect(again.status()).toBe(200);
  expect(again.headers()["idempotent-replayed"]).toBe("true");
  expect(await audited(api, operationId)).toHaveLength(1);
  const other = await adminPost(
    page,
    stack,
    `/operations/${operationId}/reconcile`,
    { reason: "another reason" },
    { key },
  );
  expect(await other.json()).toMatchObject({ code: "idempotency.payload_mismatch" });
});
