import type { BodyKeyring } from "@/engine/bodies/body-keyring";

/** Sealed by ENCRYPTION_KEYS, for this endpoint and this secret only. */
export function sealEndpointSecret(
  keyring: BodyKeyring,
  of: { readonly tenantId: string; readonly endpointId: string; readonly secretId: string },
  secret: string,
): Buffer {
  return keyring.sealSecret(Buffer.from(secret), binding(of.tenantId, of.endpointId, of.secretId));
}

/** @throws Error when it was sealed for something else */
export function openEndpointSecret(
  keyring: BodyKeyring,
  of: { readonly tenantId: string; readonly endpointId: string; readonly secretId: string },
  sealed: Buffer,
): string {
  return keyring.openSecret(sealed, binding(of.tenantId, of.endpointId, of.secretId)).toString();
}

function binding(tenantId: string, endpointId: string, secretId: string): readonly string[] {
  return ["webhook endpoint", tenantId, endpointId, secretId];
}
