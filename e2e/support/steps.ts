import { randomUUID } from "node:crypto";
import type { APIResponse, Locator, Page } from "@playwright/test";
import { expect, type ApiFixture, type Called } from "./fixtures";
import type { StackInfo } from "./stack-info";

export const E2E_TENANT = "acme";

export const newIdempotencyKey = (what: string): string => `e2e-${what}-${randomUUID()}`;
export const operationOf = (called: Called): string => called.headers.get("operation-id") ?? "none";
export const heading = (page: Page): Locator => page.getByRole("heading", { level: 1 });

/** What the provider really did under a key of ours. */
export interface ProviderRecord {
  readonly entries: readonly { readonly id: string; readonly status: string }[];
  readonly requests: Readonly<Record<string, number>>;
}

export async function providerRecord(api: ApiFixture, stack: StackInfo, operationId: string): Promise<ProviderRecord> {
  const [call] = await api.rows<{ provider_key: string }>(
    "select provider_key from onceboard.provider_requests where operation_id = $1 and kind <> 'lookup' limit 1",
    operationId,
  );
  const query = new URLSearchParams({ providerKey: call?.provider_key ?? "" });
  const response = await fetch(`${stack.sandboxUrl}/_control/ledger?${query.toString()}`);
  return (await response.json()) as ProviderRecord;
}

export interface AuditFacts {
  readonly id: string;
  readonly action: string;
  readonly reason: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

export function audited(api: ApiFixture, subjectId: string): Promise<AuditFacts[]> {
  return api.rows<AuditFacts>(
    "select id, action, reason, before, after from onceboard.audit_entries where subject_id = $1 order by sequence",
    subjectId,
  );
}

/** Nobody asks about it by itself any more, so that a person is first. Waits while somebody is at it. */
export async function onlyForPeople(api: ApiFixture, operationId: string): Promise<void> {
  await expect
    .poll(() =>
      api.rows(
        "update onceboard.idempotency_open set next_check_at = now() + interval '1 hour' where operation_id = $1 and locked_until is null returning operation_id",
        operationId,
      ),
    )
    .toHaveLength(1);
}

export interface Unknown {
  readonly operationId: string;
  readonly key: string;
}

/** A payment that the provider took and nobody could confirm: no answer, no look-up, no webhook. The provider is well again. */
export async function unknownPayment(
  api: ApiFixture,
  amount: string,
  faults: Readonly<Record<string, number>> = {},
): Promise<Unknown> {
  await api.faults({ timeout_after_accept: 1, lookup_down: 1, no_webhook: 1, ...faults });
  const key = newIdempotencyKey("unknown");
  const answer = await api.pay(key, amount);
  expect(answer.status).toBe(504);
  const operationId = operationOf(answer);
  await onlyForPeople(api, operationId);
  await api.faults({});
  return { operationId, key };
}

/** A message that its consumer can never handle; its attempts are used up without waiting for them. */
export async function deadWebhook(
  api: ApiFixture,
  amount = "12.00",
): Promise<{ readonly inboxId: string; readonly operationId: string }> {
  await api.faults({ garbage_webhook: 1 });
  const paid = await api.pay(newIdempotencyKey("garbage"), amount);
  expect(paid.status).toBe(201);
  const operationId = operationOf(paid);
  const [call] = await api.rows<{ provider_reference: string }>(
    "select provider_reference from onceboard.provider_requests where operation_id = $1 and provider_reference is not null limit 1",
    operationId,
  );
  const event = `evt_${call?.provider_reference ?? "none"}_%`;
  const dead = (): Promise<{ id: string }[]> =>
    api.rows("select id from onceboard.inbox_messages where message_id like $1 and state = 'dead'", event);
  await expect
    .poll(async () => {
      await api.rows(
        `update onceboard.inbox_open set attempts_started = greatest(attempts_started, 4),
  attempts_finished = greatest(attempts_finished, 4), next_attempt_at = now()
where id in (select id from onceboard.inbox_messages where message_id like $1) and locked_until is null`,
        event,
      );
      return (await dead()).length;
    })
    .toBe(1);
  await api.faults({});
  const [row] = await dead();
  return { inboxId: row?.id ?? "none", operationId };
}

/** The open dialog; its verb is pressed with a reason. */
export async function confirmDialog(page: Page, verb: string | RegExp, reason: string): Promise<Locator> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason, kept in the audit").fill(reason);
  await dialog.getByRole("button", { name: verb }).click();
  return dialog;
}

export interface AdminPost {
  readonly key?: string | undefined;
  readonly origin?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A call of the admin API with the session of the page, as its scripts make it. */
export function adminPost(
  page: Page,
  stack: StackInfo,
  path: string,
  data: unknown,
  options: AdminPost = {},
): Promise<APIResponse> {
  const { key = randomUUID(), origin = stack.baseUrl, headers = {} } = options;
  return page.request.post(`${stack.baseUrl}/api/v1/admin${path}`, {
    data,
    headers: {
      "content-type": "application/json",
      "idempotency-key": key,
      "onceboard-tenant": E2E_TENANT,
      ...(origin !== null && { origin }),
      ...headers,
    },
  });
}

/** Two clients in one minute of the last hour, as the roll-up leaves them. */
export async function rollUpMinute(api: ApiFixture): Promise<void> {
  await api.rows(
    `insert into onceboard.metric_minutes (tenant_id, bucket, operation, client, outcome, count, latency_p95_ms, delay_count)
select $1, date_trunc('minute', now() - interval '40 min', 'UTC'), 'payments.create', c.name, o.outcome, o.count, 120, 0
from (values ('chart-web'), ('chart-cron')) c(name), (values ('executed', 30), ('replayed', 10), ('conflict', 4)) o(outcome, count)
on conflict do nothing`,
    E2E_TENANT,
  );
  await api.rows(
    `insert into onceboard.metric_buckets (tenant_id, bucket, computed_at)
values ($1, date_trunc('minute', now() - interval '40 min', 'UTC'), now()) on conflict (tenant_id, bucket) do update set computed_at = now(), stale = false`,
    E2E_TENANT,
  );
}

/** Opens a menu above a list: a press before the page listens is lost. */
export async function openTool(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await expect(async () => {
    if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
    await expect(page.getByRole("group", { name, exact: true })).toBeVisible({ timeout: 500 });
  }).toPass();
}
