import { AppError } from "@/domain/errors";
import { operationUrn, problemDocument } from "@/domain/idempotency/problem";
import type { Settlement } from "./operation";

const FIRST_SERVER_ERROR = 500;

/** A refusal that binds: every replay gets the same bytes. */
export function refusalSettlement(operationId: string, error: AppError): Settlement {
  return {
    state: "FAILED_REPLAYABLE",
    refusal: error,
    response: {
      status: error.status,
      headers: { "content-type": "application/problem+json" },
      body: Buffer.from(JSON.stringify(problemDocument(error, operationUrn(operationId), { operationId }))),
    },
  };
}

/** Surely without effect, and no retry of the same command heals it: what a strict operation keeps. */
export function isFinalRefusal(error: unknown): error is AppError {
  return (
    error instanceof AppError && error.certainty === "definite" && !error.retryable && error.status < FIRST_SERVER_ERROR
  );
}
