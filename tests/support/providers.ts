/** Parts of the example business that tests of other folders start or speak with. */
export { createPaymentBody } from "@/payments/commands";
export { createAgents, exchange } from "@/payments/provider/exchange";
export { startSandbox } from "@/payments/sandbox/server";
export { startStripeSandbox, type StripeSandbox } from "@/payments/stripe-sandbox/server";
export { webhookSecret } from "@/payments/webhook-secret";
