import { expect, test, type ApiFixture } from "./support/fixtures";
import { adminPost, deadWebhook, newIdempotencyKey, operationOf, E2E_TENANT, unknownPayment } from "./support/steps";

const REASON = { reason: "because I can" };

interface Things {
  readonly unknown: string;
  readonly done: string;
  readonly inbox: string;
}

async function things(api: ApiFixture): Promise<Things> {
  const { operationId } = await unknownPayment(api, "66.10");
  const done = operationOf(await api.pay(newIdempotencyKey("viewer"), "66.20"));
  const { inboxId } = await deadWebhook(api, "66.30");
  return { unknown: operationId, done, inbox: inboxId };
}

/** Every route that changes something, or asks somebody to. */
const mutations = ({ unknown, done, inbox }: Things): readonly (readonly [path: string, body: unknown])[] => [
  [`/operations/${unknown}/reconcile`, REASON],
  [`/operations/${unknown}/resolve`, { ...REASON, decision: "failed", evidence: ["a feeling"] }],
  [`/operations/${done}/purge-body`, REASON],
  [`/operations/${done}/reveal`, REASON],
  [`/outbox/${inbox}/requeue`, REASON],
  [`/inbox/${inbox}/requeue`, REASON],
  ["/retention/preview", {}],
  ["/retention/runs", REASON],
  ["/policies/payments.create", { ...REASON, overrides: { ttlHours: 48 }, expectedVersion: 0 }],
];

/** What an action would have left behind. */
async function traces(api: ApiFixture, { unknown, done, inbox }: Things) {
  const [states, bodies, audit, actions, messages, looks] = await Promise.all([
    api.rows(
      "select state, fence from onceboard.idempotency_requests where operation_id in ($1, $2) order by operation_id",
      unknown,
      done,
    ),
    api.rows("select kind from onceboard.idempotency_bodies where operation_id = $1 order by kind", done),
    api.rows("select count(*) from onceboard.audit_entries where tenant_id <> '@access'"),
    api.rows("select count(*) from onceboard.idempotency_requests where operation like 'admin.%'"),
    api.rows("select state from onceboard.inbox_messages where id = $1", inbox),
    api.rows("select count(*) from onceboard.provider_requests where operation_id = $1", unknown),
  ]);
  return { states, bodies, audit, actions, messages, looks };
}

test("OPERATION-4 a viewer sees every action, off, with the reason beside it; the API refuses and changes nothing", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const made = await things(api);
  await signIn("viewer", "/attention");
  const reconcile = page.getByRole("row").filter({ hasText: "€66.10" }).getByRole("button", { name: "Reconcile" });
  await expect(reconcile).toBeDisabled();
  await expect(reconcile).toHaveAttribute("title", "You can look, not act. Reconcile needs the role operator.");

  await page.goto(`/operations/${made.unknown}`);
  const box = page.getByRole("region", { name: "Evidence and decision" });
  for (const option of await box.getByRole("radio").all()) await expect(option).toBeDisabled();
  await expect(box.getByText("You can look, not act. Resolve needs the role operator.").first()).toBeVisible();
  await expect(box.getByRole("button", { name: "Settle 1 operation" })).toBeDisabled();
  await page.goto(`/operations/${made.done}`);
  await expect(page.getByText("You can look, not act. Purge a body needs the role operator.")).toBeVisible();
  await expect(page.getByText("You can look, not act. Reveal a body needs the role operator.").first()).toBeVisible();
  await page.goto("/dead-letters");
  await expect(page.getByRole("button", { name: "Requeue" }).first()).toBeDisabled();
  await page.goto("/retention");
  await expect(page.getByRole("button", { name: "Purge expired bodies now" })).toBeDisabled();
  // A link that somebody sent opens the dialog, and its verb is off.
  await page.goto(`/operations/${made.done}?dialog=purge`);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Purge 1 body" })).toBeDisabled();

  const before = await traces(api, made);
  for (const [path, body] of mutations(made)) {
    const answer = await adminPost(page, stack, path, body);
    expect(answer.status(), path).toBe(403);
    expect(await answer.json(), path).toMatchObject({ code: "auth.forbidden" });
  }
  expect(await traces(api, made)).toEqual(before);
});

test("what does not come from a page of ours is refused, whoever is signed in", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const made = await things(api);
  await signIn("admin", "/");
  const before = await traces(api, made);
  for (const [path, body] of mutations(made)) {
    const missing = await adminPost(page, stack, path, body, { origin: null });
    expect(missing.status(), `${path} without Origin`).toBe(403);
    const foreign = await adminPost(page, stack, path, body, { origin: "https://evil.example" });
    expect(foreign.status(), `${path} from another site`).toBe(403);
    expect(await foreign.json()).toMatchObject({ code: "auth.cross_site" });
    const crossed = await adminPost(page, stack, path, body, { headers: { "sec-fetch-site": "cross-site" } });
    expect(crossed.status(), `${path} across sites`).toBe(403);
    const form = await page.request.post(`${stack.baseUrl}/api/v1/admin${path}?tenant=${E2E_TENANT}`, {
      form: { reason: "because I can" },
      headers: { origin: stack.baseUrl, "idempotency-key": newIdempotencyKey("form") },
    });
    expect(form.status(), `${path} as a form`).toBe(415);
  }
  expect(await traces(api, made)).toEqual(before);
});

test("a till's key opens no admin route, and nobody gets in without any", async ({ api, stack }) => {
  const made = await things(api);
  const before = await traces(api, made);
  for (const [path, body] of mutations(made)) {
    const till = await api.post(`/admin${path}`, newIdempotencyKey("till"), body);
    expect(till.status, path).toBe(403);
    const nobody = await fetch(`${stack.baseUrl}/api/v1/admin${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": newIdempotencyKey("nobody"),
        origin: stack.baseUrl,
      },
      body: JSON.stringify(body),
    });
    expect(nobody.status, path).toBe(401);
  }
  expect(await traces(api, made)).toEqual(before);
});
