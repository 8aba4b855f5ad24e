import { createHash, randomBytes } from "node:crypto";

/** A link that nobody used for this long opens nothing. */
export const INVITATION_HOURS = 72;
const SECRET_BYTES = 32;
const TOKEN = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;

export interface Invitation {
  readonly operatorId: string;
  /** SHA-256 (hex) of the secret. */
  readonly secretHash: string;
}

function hash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** @returns what goes into the link, once, and what the database keeps of it */
export function newInvitation(operatorId: string): Invitation & { readonly token: string } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { operatorId, secretHash: hash(secret), token: `${operatorId}.${secret}` };
}

/** The secret is the fragment of the address: no server and no log is sent it. */
export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}/join#${token}`;
}

export function parseInvitation(token: string): Invitation | undefined {
  const [, operatorId, secret] = TOKEN.exec(token) ?? [];
  return operatorId === undefined || secret === undefined ? undefined : { operatorId, secretHash: hash(secret) };
}
