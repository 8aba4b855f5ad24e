import type { AppError } from "@/domain/errors";
import type { Answer, OperationFacts, StoredResponse } from "@/engine/execute/answer";
import { acceptedAnswer } from "./accepted";
import { neverRetry, refusalHeaders, storedHeaders, type HeaderRecord } from "./headers";
import type { Asked, Profile } from "./profile";
import { refusalOf } from "./refusal-of";
import { keptRefusal, errorViewOf, type ErrorView } from "./told";

/** What one profile says differently: how a refusal looks. Everything else is the same in all of them. */
export interface Dress {
  /** Content-Type of a refusal. */
  readonly errorType: string;
  /** Status of a refusal, where the dress has its own. */
  status?(view: ErrorView): number;
  /** Headers beside the common ones. */
  headers?(view: ErrorView): HeaderRecord;
  /** Written as JSON. The same refusal of an operation that is kept must give the same bytes every time. */
  body(view: ErrorView): unknown;
}

type Stored = Extract<Answer, { readonly outcome: "executed" | "replayed" }>;

/** @returns the profile of a dress: successes are the stored bytes in every profile, refusals wear the dress. */
export function createProfile(dress: Dress): Profile {
  return {
    answer(answer, policy, asked) {
      switch (answer.outcome) {
        case "executed":
        case "replayed":
          return stored(dress, answer, asked);
        case "in_progress":
          if (answer.mode === "accepted" && answer.operation !== undefined) {
            return acceptedAnswer(answer.operation, answer.retryAfterSeconds, asked);
          }
          return refusal(dress, refusalOf(answer, policy), asked, answer.operation);
        case "conflict":
        case "unknown":
        case "expired":
        case "purged":
        case "refused":
          return refusal(dress, refusalOf(answer, policy), asked, answer.operation);
      }
    },
    error: (error, asked) => refusal(dress, error, asked, undefined),
  };
}

/** The bytes of the first answer, and around them what is true of this one. */
function stored(dress: Dress, answer: Stored, asked: Asked): Response {
  const { response, operation } = answer;
  const headers = storedHeaders(answer, asked);
  if (response.status < 400) {
    return asked.minimal ? minimal(response.status, headers) : asStored(response, headers);
  }
  // A refusal that is kept is the answer for good.
  neverRetry(headers);
  const isDressed = response.headers["content-type"] === dress.errorType;
  const view = isDressed ? undefined : keptRefusal(response, operation.operationId);
  return view === undefined ? asStored(response, headers) : dressed(dress, view, headers);
}

function asStored({ status, body }: StoredResponse, headers: HeaderRecord): Response {
  return new Response(bytesOf(body), { status, headers });
}

function minimal(status: number, headers: HeaderRecord): Response {
  delete headers["content-type"];
  headers["preference-applied"] = "return=minimal";
  return new Response(null, { status, headers });
}

function refusal(dress: Dress, error: AppError, asked: Asked, operation: OperationFacts | undefined): Response {
  const headers = refusalHeaders(error, asked, operation);
  return dressed(dress, errorViewOf(error, asked, operation), headers);
}

function dressed(dress: Dress, view: ErrorView, headers: HeaderRecord): Response {
  Object.assign(headers, dress.headers?.(view), { "content-type": dress.errorType });
  return new Response(JSON.stringify(dress.body(view)), { status: dress.status?.(view) ?? view.status, headers });
}

/** The memory behind a Buffer may be shared with others; a Response wants exactly these bytes. */
function bytesOf(body: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
}
