/** How long a delivery may take, and for how long a relay goes by what it read of an endpoint. */

/** A destination that has not answered by then has not acknowledged. */
export const DELIVERY_TIMEOUT_MS = 5_000;
/** So long an endpoint's address, secrets and state are remembered; much shorter than the overlap of a rotation. */
export const ENDPOINT_REMEMBERED_MS = 15_000;
