import { isAllowedHost } from "@/domain/attachments/hosts";
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
/** A name or an address; no escape, which could be the path of a socket on this machine. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])$/;
/** Others name another host, read a file of this machine or change the limits of a connection. */
const PARAMETERS: readonly string[] = ["sslmode", "uselibpqcompat"];

/** Where a database is, and the address to connect by. */
export interface DatabaseAddress {
  /** With login and password: sealed, and shown to nobody. */
  readonly url: string;
  readonly host: string;
  readonly port: string;
  /** Host, port and database. */
  readonly shown: string;
}

/**
 * Takes an address apart, as the driver will.
 *
 * @param text `postgres://login:password@host:5432/database`, with `?sslmode=` if need be
 * @throws AppError `validation.attachment_address` 422 for what is no address of a PostgreSQL database; its detail repeats nothing of it
 */
export function readAddress(text: string): DatabaseAddress {
  const parsed = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const database = parsed?.pathname.slice(1) ?? "";
  if (parsed === undefined || !PROTOCOLS.includes(parsed.protocol) || !HOST.test(parsed.hostname) || database === "")
    throw unusable("Write it as postgres://login:password@host:5432/database.");
  // Without one the driver would take those of this process, and give them to whoever listens there.
  if (parsed.username === "" || parsed.password === "") throw unusable("It needs a login and its password.");
  const other = [...parsed.searchParams.keys()].some((name) => !PARAMETERS.includes(name));
  if (other || parsed.hash !== "")
    throw unusable(`After the database it may say ${PARAMETERS.join(" and ")}, and nothing else.`);
  const port = parsed.port === "" ? POSTGRES_PORT : parsed.port;
  const { hostname: host } = parsed;
  return { url: parsed.href, host, port, shown: `${host}:${port}/${database}` };
}

function unusable(because: string): AppError {
  return new AppError("validation.attachment_address", 422, "This is no address of a database", {
    detail: `${because} Nothing was asked.`,
  });
}

/**
 * Refuses a host that ATTACH_HOSTS does not list, before anything is connected.
 *
 * @param allowed entries `host` or `host:port`; without any list every host is allowed
 * @throws AppError `attach.host_not_allowed` 422
 */
export function requireAllowedHost(
  { host, port }: Pick<DatabaseAddress, "host" | "port">,
  allowed: readonly string[] | undefined,
): void {
  if (isAllowedHost({ host, port }, allowed)) return;
  throw new AppError("attach.host_not_allowed", 422, "This host may not be attached", {
    detail: `${host}:${port} is not in ATTACH_HOSTS of this deployment. Nothing was asked.`,
  });
}
