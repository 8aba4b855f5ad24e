import type { InboxPayloadRow } from "@/db/inbox/select-inbox";
import { parseAmount } from "@/domain/money";
import type { WebhookFact } from "@/presentation/views/operations";

const SAYS: Readonly<Record<string, WebhookFact["says"]>> = {
  succeeded: "succeeded",
  declined: "failed",
  failed: "failed",
  processing: "processing",
  pending: "processing",
};

type Payload = Pick<InboxPayloadRow, "id" | "messageId" | "type" | "state" | "payload" | "receivedAt">;

/** Reads what a provider's event says about its object; anything else about the operation (our own events) says nothing. */
export function webhookFacts(rows: readonly Payload[]): readonly WebhookFact[] {
  return rows.flatMap((row) => {
    const data = member(row.payload, "data");
    // Only the provider names its own key; our own events about the operation do not.
    const providerKey = member(data, "providerKey");
    if (typeof providerKey !== "string") return [];
    const status = member(data, "status");
    const currency = member(data, "currency");
    const money = typeof currency === "string" ? { minor: minorOf(member(data, "amount"), currency), currency } : {};
    return [
      {
        inboxId: row.id,
        messageId: row.messageId,
        providerKey,
        type: row.type,
        state: row.state,
        at: row.receivedAt,
        says: typeof status === "string" ? SAYS[status] : undefined,
        ...money,
      },
    ];
  });
}

export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The provider writes minor units, as a number or as digits. */
function minorOf(amount: unknown, currency: string): string | undefined {
  if (typeof amount === "number" && Number.isSafeInteger(amount)) return String(amount);
  if (typeof amount !== "string") return undefined;
  return /^\d{1,18}$/.test(amount) ? amount : parseAmount(amount, currency)?.toString();
}
