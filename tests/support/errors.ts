import { errorRows, type ErrorRow } from "@/http/docs/errors";
import { nameErrors } from "@/http/profiles/names";
import { ERRORS as OF_PAYMENTS } from "@/payments/routes/errors";

nameErrors(OF_PAYMENTS);

/** Every error that a caller of the example business may get. */
export const ERRORS: readonly ErrorRow[] = errorRows(OF_PAYMENTS);
