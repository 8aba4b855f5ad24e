import type { Queryable } from "@/db/client";
import {
  selectCallsOf,
  selectDecisionsOf,
  selectDuplicatesOf,
  selectFirstAnswers,
  selectInboxOf,
  selectLedgerOf,
  type PartsOf,
  type ReferenceWebhookRow,
} from "@/db/reference/select-reference-parts";
import type { Opening } from "@/engine/messages/sealed-message";
import type { MoneyKeyFacts, WebhookFacts } from "@/presentation/reference/facts";
import { openedArrivals } from "../messages/opened-arrivals";
import { webhookFacts } from "../messages/webhook-facts";
import { stringList } from "./operation-history";

/** Requests of one key that are read, first come first. */
const KEY_REQUESTS = 24;
/** Calls of one key in the provider's journal: effects first, then the newest look-ups. */
const KEY_CALLS = 50;
const KEY_WEBHOOKS = 20;
/** Copies of one webhook that are drawn; their number is kept beside it. */
const WEBHOOK_COPIES = 6;
const KEY_ENTRIES = 10;

type OwnParts = Pick<MoneyKeyFacts, "calls" | "webhooks" | "ledger" | "requests" | "moreRequests" | "settledByHand">;

/** What hangs on each of some operations. */
export interface Parts {
  readonly of: (operation: {
    readonly operationId: string;
    readonly amountMinor?: bigint | undefined;
    readonly currency?: string | undefined;
  }) => OwnParts;
}

export async function readParts(q: Queryable, ctx: Opening, of: readonly PartsOf[]): Promise<Parts> {
  const { tenantId } = ctx;
  const answers = grouped(await selectFirstAnswers(q, tenantId, of, KEY_REQUESTS + 1));
  const calls = grouped(await selectCallsOf(q, tenantId, of, KEY_CALLS));
  const inbox = await openedArrivals(ctx, await selectInboxOf(q, tenantId, of, KEY_WEBHOOKS));
  const copies = await copiesOf(q, tenantId, inbox);
  const hooks = grouped(inbox);
  const ledger = grouped(await selectLedgerOf(q, tenantId, of, KEY_ENTRIES));
  const decisions = new Map((await selectDecisionsOf(q, tenantId, of)).map((row) => [row.operationId, row.decision]));
  return {
    of: (operation) => {
      const { operationId } = operation;
      const requests = answers.get(operationId) ?? [];
      const decision = decisions.get(operationId);
      return {
        requests: requests.slice(0, KEY_REQUESTS).map(({ id, at, outcome, client, status, differingFields }) => ({
          ...{ id, at, outcome, client, status },
          differingFields: stringList(differingFields),
        })),
        moreRequests: requests.length > KEY_REQUESTS,
        calls: (calls.get(operationId) ?? []).map(
          ({ kind, provider, state, outcome, reference, answeredAt, sentAt, preparedAt }) => ({
            ...{ kind, provider, state, outcome, reference },
            at: answeredAt ?? sentAt ?? preparedAt,
          }),
        ),
        webhooks: (hooks.get(operationId) ?? []).flatMap((row) => webhookOf(row, operation, copies.get(row.id) ?? [])),
        ledger: (ledger.get(operationId) ?? []).map(({ id, entryType, amountMinor: minor, currency, postedAt }) => ({
          ...{ id, entryType, minor, currency, postedAt },
        })),
        settledByHand: decision === "succeeded" || decision === "failed" ? decision : undefined,
      };
    },
  };
}

async function copiesOf(q: Queryable, tenantId: string, inbox: readonly ReferenceWebhookRow[]) {
  const repeated = inbox.filter(({ duplicates }) => duplicates > 0).map(({ id }) => id);
  const rows = repeated.length === 0 ? [] : await selectDuplicatesOf(q, tenantId, repeated, WEBHOOK_COPIES);
  return grouped(rows.map(({ inboxId, at }) => ({ operationId: inboxId, at })));
}

/** A signed event of the provider; what else came in about the operation is left out. */
function webhookOf(
  row: ReferenceWebhookRow,
  operation: { readonly amountMinor?: bigint | undefined; readonly currency?: string | undefined },
  copies: readonly { readonly at: string }[],
): readonly WebhookFacts[] {
  const [fact] = webhookFacts([row]);
  if (fact === undefined) return [];
  const { minor, currency } = fact;
  const named = minor !== undefined && operation.amountMinor !== undefined && operation.currency !== undefined;
  const otherMoney = named && (minor !== String(operation.amountMinor) || currency !== operation.currency);
  return [
    {
      ...{ id: row.id, source: row.source, type: row.type, state: row.state, at: row.receivedAt },
      says: fact.says,
      otherMoney,
      duplicates: row.duplicates,
      duplicatesAt: copies.map(({ at }) => at),
    },
  ];
}

function grouped<Row extends { readonly operationId: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.operationId, [...(groups.get(row.operationId) ?? []), row]);
  return groups;
}
