/** What we tell the world of, and what an endpoint may ask for. */
export const EVENT_TYPES = [
  "payment.succeeded",
  "payment.voided",
  "refund.succeeded",
  "account.opened",
  "account.default_currency_changed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export function isEventType(type: string): type is EventType {
  return (EVENT_TYPES as readonly string[]).includes(type);
}
