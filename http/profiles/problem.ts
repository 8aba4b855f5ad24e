import { operationUrn, problemDocument } from "@/domain/idempotency/problem";
import type { Dress } from "./dress";
import { PROBLEM_TYPE } from "./told";

/** The default dress: `application/problem+json` (RFC 9457). */
export const problemDress: Dress = {
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
