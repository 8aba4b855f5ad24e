import type { ActionRequest } from "@/engine/actions/action-answer";

/** Who clicked, when, under which key and why. */
export type EndpointActionRequest = Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason">;
