import { errorRows, type ErrorRow } from "@/http/docs/errors";
import { nameErrors } from "@/http/profiles/names";
import { PAYMENT_ERRORS } from "@/payments/routes/errors";

nameErrors(PAYMENT_ERRORS);

/** Every error that a caller of the example business may get. */
export const ERRORS: readonly ErrorRow[] = errorRows(PAYMENT_ERRORS);
