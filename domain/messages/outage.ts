/** Why nothing could be sent at all: not the message's fault, so no attempt was counted and its topic rests. */
export const OUTAGE_CODES: readonly string[] = [
  "alert.destination_unavailable",
  "delivery.broker_unavailable",
  "delivery.bad_destination",
  "mail.no_file",
  "mail.server_unavailable",
  "transport.not_configured",
  "webhook.endpoint_disabled",
  "webhook.endpoint_down",
];

/** @returns the code where it says that nothing could be sent at all */
export function outageOf(code: string | undefined): string | undefined {
  return code !== undefined && OUTAGE_CODES.includes(code) ? code : undefined;
}

/** @returns what was so when it was tried last, a clause without a full stop: whether it still is, the message does not say */
export function outageText(code: string): string {
  if (code === "webhook.endpoint_disabled") return "its endpoint was disabled";
  if (code === "webhook.endpoint_down") return "its endpoint was down";
  if (code === "transport.not_configured") return "no relay had its transport";
  return code === "delivery.bad_destination"
    ? "its destination could not be used"
    : "its destination was not reachable";
}
