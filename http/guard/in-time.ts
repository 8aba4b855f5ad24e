import type { MiddlewareHandler } from "hono";
import { within, withDeadline } from "@/db/deadline";
import { MAX_REQUEST_TIMEOUT_MS, MIN_REQUEST_TIMEOUT_MS } from "@/domain/config";
import { AppError } from "@/domain/errors";
import type { ApiEnv } from "../env";

/**
 * @param header value of `X-Request-Timeout`, milliseconds that the caller waits for this one answer
 * @throws AppError `validation.request_timeout` 400 when it is not a whole number of milliseconds
 */
export function parseRequestTimeout(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (!/^\d{1,9}$/.test(header)) {
    throw new AppError("validation.request_timeout", 400, "X-Request-Timeout is not usable", {
      detail: "Send whole milliseconds, for example 4500. Nothing was recorded.",
    });
  }
  return Math.min(Math.max(Number(header), MIN_REQUEST_TIMEOUT_MS), MAX_REQUEST_TIMEOUT_MS);
}

/** Share of the time that is kept for answering that the rest was not enough, and its bound in ms. */
const ANSWER_SHARE = 0.05;
const ANSWER_SHARE_MAX_MS = 100;

/**
 * Every request is answered within its time: `X-Request-Timeout`, else REQUEST_TIMEOUT_MS. A little before its end nothing more
 * begins for it, so that what stands still ends by itself and says what is known of it; at the end it is answered in any case.
 */
export const inTime: MiddlewareHandler<ApiEnv> = (c, next) => {
  const budgetMs = budgetOf(c.req.header("x-request-timeout")) ?? c.get("deps").config.requestTimeoutMs;
  const end = c.get("receivedAt") + budgetMs;
  const work = withDeadline(end - Math.min(budgetMs * ANSWER_SHARE, ANSWER_SHARE_MAX_MS), next);
  // It ends with what Hono's own chain does, which Hono leaves alone once there is an answer.
  return within(end - performance.now(), work, tooLate);
};

/** A header that cannot be read is refused by the routes that promise to follow it, once it is known who calls. */
function budgetOf(header: string | undefined): number | undefined {
  try {
    return parseRequestTimeout(header);
  } catch {
    return undefined;
  }
}

function tooLate(): AppError {
  return new AppError("dependency.unavailable", 503, "This was not answered in time", {
    detail: "It is not known whether this request had an effect. Nothing more begins for it. Retry with the same key.",
    retryable: true,
    certainty: "indefinite",
    retryAfter: 1,
  });
}
