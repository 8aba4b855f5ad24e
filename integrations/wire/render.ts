import type { WireProfile } from "@/domain/access/permission";
import type { AppError } from "@/domain/errors";
import type { StoredResponse } from "@/engine/execute/answer";
import {
  baseHeaders,
  neverRetry,
  operationHeaders,
  refusalHeaders,
  storedHeaders,
  type HeaderRecord,
} from "@/http/profiles/headers";
import { problemRenderer } from "@/http/profiles/problem";
import { RENDERERS } from "@/http/profiles/profiles";
import { createProfile, type Renderer } from "@/http/profiles/renderer";
import type { RequestMeta } from "@/http/profiles/request-meta";
import type { Decided } from "../once/create-onceboard";

/** A problem document names its type by the code alone: the page that explains codes is not the service's. */
const problemWithoutPage: Renderer = {
  ...problemRenderer,
  body: (view) => ({ ...(problemRenderer.body(view) as object), type: undefined }),
};

const FIRST_REFUSAL = 400;
const ACCEPTED = 202;

/** How one request of a service is answered. */
export function wireFor(meta: () => RequestMeta, name: WireProfile = "problem") {
  const profile = createProfile(name === "problem" ? problemWithoutPage : RENDERERS[name]);
  return {
    decided(decision: Decided): Response {
      const { answer, policy, unbound } = decision;
      if (unbound?.refusal !== undefined)
        return asAnswered(unbound.response, refusalHeaders(unbound.refusal, meta(), undefined));
      if (answer.outcome === "executed" || answer.outcome === "replayed") {
        if (answer.response.status < FIRST_REFUSAL) return profile.answer(answer, policy, meta());
        // The service's own document, in whatever words: it is not ours to render anew.
        const headers = storedHeaders(answer, meta());
        neverRetry(headers);
        return asAnswered(answer.response, headers);
      }
      if (answer.outcome === "in_progress" && answer.mode === "accepted" && answer.operation !== undefined)
        return accepted(answer.operation, answer.retryAfterSeconds, meta());
      return withoutPage(profile.answer(answer, policy, meta()));
    },
    error: (error: AppError): Response => withoutPage(profile.error(error, meta())),
  };
}

function asAnswered({ status, headers, body }: StoredResponse, around: HeaderRecord): Response {
  return new Response(new Uint8Array(body), { status, headers: { ...headers, ...around } });
}

/** The page that the link names is not the service's. */
function withoutPage(response: Response): Response {
  response.headers.delete("link");
  return response;
}

type Facts = NonNullable<Extract<Decided["answer"], { readonly outcome: "in_progress" }>["operation"]>;

/** As the API answers it, without an address to look at: the service has none. */
function accepted(operation: Facts, retryAfterSeconds: number, meta: RequestMeta): Response {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const headers = { ...baseHeaders(meta), "retry-after": String(seconds) };
  operationHeaders(headers, operation);
  const { operationId, state } = operation;
  const body = { operationId, operationState: state, retryAfterSeconds: seconds };
  return Response.json(body, { status: ACCEPTED, headers });
}
