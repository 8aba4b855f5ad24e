import type { ActionRequest } from "@/engine/actions/action-answer";

/** Who clicked, when, under which key and why. */
export type EndpointClick = Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason">;
