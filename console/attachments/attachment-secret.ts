import { AppError } from "@/domain/errors";
import type { BodyKeyring } from "@/engine/bodies/body-keyring";

/** One attachment of one tenant. */
export interface AttachmentRef {
  readonly tenantId: string;
  readonly id: string;
}

const binding = ({ tenantId, id }: AttachmentRef): readonly string[] => ["attachment", tenantId, id];

/** Sealed by ENCRYPTION_KEYS, for this attachment only. @param url the address of its database, with the password */
export function sealAddress(keyring: BodyKeyring, of: AttachmentRef, url: string): Buffer {
  return keyring.sealSecret(Buffer.from(url), binding(of));
}

/** @throws Error when it was sealed for something else */
export function openAddress(keyring: BodyKeyring, of: AttachmentRef, sealed: Buffer): string {
  return keyring.openSecret(sealed, binding(of)).toString();
}

const PROTOCOLS: readonly string[] = ["postgres:", "postgresql:"];
const POSTGRES_PORT = "5432";

/**
 * What may be seen of an address: host, port and database, never login or password.
 *
 * @throws AppError `validation.attachment_address` 422 for what is no address of a PostgreSQL database
 */
export function shownDatabase(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = parsed?.pathname.slice(1) ?? "";
  if (parsed === undefined || !PROTOCOLS.includes(parsed.protocol) || parsed.hostname === "" || database === "")
    throw new AppError("validation.attachment_address", 422, "This is no address of a database", {
      detail: "Write it as postgres://login:password@host:5432/database. Nothing was asked.",
    });
  const { hostname, port } = parsed;
  return `${hostname}:${port === "" ? POSTGRES_PORT : port}/${database}`;
}
