import { openArrival, PayloadLostError, type StoredArrival } from "@/engine/inbox/sealed-arrival";
import type { Opening } from "@/engine/messages/sealed-message";

/** An arrival with what SQL keeps beside a sealed payload. */
interface Arrival extends StoredArrival {
  readonly providerKey?: string | undefined;
  readonly providerStatus?: string | undefined;
}

/**
 * Arrivals with their payloads opened. Of one that nothing opens any more a provider's key and word are left, without its amount.
 * @throws KeyStoreUnavailableError: a part of the evidence would be missing unseen
 */
export function openedArrivals<Row extends Arrival>(ctx: Opening, rows: readonly Row[]): Promise<Row[]> {
  return Promise.all(
    rows.map(async (row) => {
      try {
        return { ...row, payload: await openArrival(ctx, row) };
      } catch (error) {
        if (!(error instanceof PayloadLostError)) throw error;
        const { providerKey, providerStatus: status } = row;
        return { ...row, payload: providerKey === undefined ? undefined : { data: { providerKey, status } } };
      }
    }),
  );
}
