import { expect, test, type ApiFixture } from "./support/fixtures";
import { heading, newIdempotencyKey, operationOf } from "./support/steps";

async function paidTwiceAndDisputed(api: ApiFixture): Promise<{ readonly key: string; readonly operationId: string }> {
  const key = newIdempotencyKey("conflict");
  const first = await api.pay(key, "48.30");
  expect(first.status).toBe(201);
  const replay = await api.pay(key, "48.30");
  expect(replay.status).toBe(first.status);
  expect(replay.text).toBe(first.text);
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  const conflict = await api.pay(key, "483.00");
  expect(conflict.status).toBe(409);
  expect(conflict.body).toMatchObject({ code: "idempotency.payload_mismatch", differingFields: ["amount"] });
  expect(conflict.text).not.toContain("48.30");
  return { key, operationId: operationOf(first) };
}

test("executed once, replayed once, refused once: the page says it and compares field by field", async ({
  page,
  api,
  signIn,
}) => {
  const { operationId } = await paidTwiceAndDisputed(api);
  await signIn("operator", `/operations/${operationId}`);
  await expect(heading(page)).toContainText(
    "Executed once. Answered twice, byte-equal. Another command was refused once.",
  );
  const requests = page.getByRole("table", { name: "Requests and answers" }).getByRole("row");
  await expect(requests).toHaveCount(4);
  await expect(requests.nth(1)).toContainText("Executed");
  await expect(requests.nth(1)).toContainText("201");
  await expect(requests.nth(2)).toContainText("Replayed");
  await expect(requests.nth(2)).toContainText("byte-equal");
  await expect(requests.nth(3)).toContainText("Conflict");
  await expect(requests.nth(3)).toContainText("409");
  await expect(heading(page)).toContainText("Ledger posted.");

  await requests.nth(3).getByRole("link", { name: "amount differs" }).click();
  await expect(page).toHaveURL(/\/conflicts\?open=/);
  await expect(page.getByRole("heading", { level: 2 }).filter({ hasText: "Same key," })).toHaveText(
    /Same key,\s*another amount\.\s*The first command was executed once and stands\.\s*The second was refused once; nothing ran\./,
  );
  const compared = page.getByRole("table", { name: "The two commands, field by field" });
  const amount = compared.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "amount" }) });
  await expect(amount.getByRole("img", { name: "Differs in meaning" })).toBeVisible();
  await expect(amount).toContainText("48.30");
  await expect(amount).toContainText("483.00");
  await expect(amount).toContainText(/10|ten/i);
  await expect(
    compared.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "merchantReference" }) }),
  ).toHaveCount(1);
  await expect(page.getByText("What to tell till-web")).toBeVisible();
});

test("CONFLICT-4 a viewer sees the names of the fields, never their values", async ({ page, api, signIn }) => {
  const { operationId } = await paidTwiceAndDisputed(api);
  await signIn("viewer", `/operations/${operationId}`);
  await page.getByRole("link", { name: "amount differs" }).click();
  const pane = page.getByRole("article");
  await expect(pane.getByRole("rowheader", { name: "amount" })).toBeVisible();
  await expect(pane.getByText("You can look, not act. Reveal a body needs the role operator.")).toBeVisible();
  await expect(pane).not.toContainText("48.30");
  await expect(pane).not.toContainText("483.00");
  const answer = await page.request.get(
    `/api/v1/admin/conflicts/${new URL(page.url()).searchParams.get("open") ?? ""}?tenant=acme`,
  );
  expect(answer.status()).toBe(200);
  expect(await answer.text()).not.toMatch(/48\.30|483\.00|"4830"|"48300"/);
});
