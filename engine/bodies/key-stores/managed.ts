import { createHash } from "node:crypto";
import { withTimeout } from "@/domain/with-timeout";
import { KeyStoreUnavailableError, type KeyPeriod } from "../key-store";

/** Of one question to a key management service, its client's own repeats included. */
export const ASK_MS = 5_000;
const TENANT_CHARACTERS = 32;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A service keeps names for long and shows them to others: a tenant's own name is in none. */
export function tenantHash(tenantId: string): string {
  return createHash("sha256").update(tenantId).digest("hex").slice(0, TENANT_CHARACTERS);
}

/** @returns the name of a period's key in a service: `HASH-2026-11-28` */
export function periodName({ tenantId, day }: KeyPeriod): string {
  return `${tenantHash(tenantId)}-${day}`;
}

/** @returns the day of a key's name when it is one of this tenant's */
export function dayOfName(name: string, tenantId: string): string | undefined {
  const prefix = `${tenantHash(tenantId)}-`;
  const day = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return DAY.test(day) ? day : undefined;
}

/**
 * One question to a service, with a limit.
 *
 * @param service as a person calls it
 * @param nameOf the service's own name of an error: what it says in sentences may hold names of keys, which are for the log's `cause`
 * @throws KeyStoreUnavailableError for everything that the question itself did not take care of
 */
export async function askKeyService<T>(
  service: string,
  what: () => Promise<T>,
  nameOf: (error: unknown) => string,
): Promise<T> {
  try {
    return await withTimeout(what(), ASK_MS, () => {
      throw new KeyStoreUnavailableError(`${service} did not answer within ${String(ASK_MS)} ms`);
    });
  } catch (error) {
    if (error instanceof KeyStoreUnavailableError) throw error;
    throw new KeyStoreUnavailableError(`${service} did not answer as it should (${nameOf(error)})`, error);
  }
}

/** Loads a service's client, which is installed by whoever uses it. @throws KeyStoreUnavailableError naming the package */
export async function loadClient<Client>(kind: string, name: string, load: () => Promise<Client>): Promise<Client> {
  try {
    return await load();
  } catch (error) {
    throw new KeyStoreUnavailableError(
      `KEY_STORE=${kind} needs the package ${name}: install it beside onceboard`,
      error,
    );
  }
}
