import { operationUrn, problemDocument } from "@/domain/idempotency/problem";
import type { Renderer } from "./renderer";
import { PROBLEM_TYPE } from "./error-view";

/** The default error format: `application/problem+json` (RFC 9457). */
export const problemRenderer: Renderer = {
  errorType: PROBLEM_TYPE,
  body(view) {
    const { occurrence } = view;
    const instance =
      occurrence.kind === "kept"
        ? operationUrn(occurrence.operationId)
        : `urn:onceboard:request:${occurrence.requestId}`;
    return problemDocument(view, instance, view.operation);
  },
};
