import { randomUUID } from "node:crypto";
import { upsertOperator } from "@/auth/operators";
import { createAuth } from "@/auth/sessions";
import type { Role } from "@/domain/idempotency/states";
import type { CheckedAnswer } from "./contract";
import type { TestHost } from "./host";

const PASSWORD = "correct horse battery";

/**
 * A new person of a role, signed in as through the page.
 * @param tenant where the role is for; all tenants when left out
 * @returns the value of the `cookie` header that the browser sends from then on
 * @throws Error where nobody was signed in
 */
export async function signedIn(host: TestHost, role: Role, tenant?: string): Promise<string> {
  const email = `${role}-${randomUUID()}@example.com`;
  const auth = createAuth({ db: host.db, secret: host.secret, publicUrl: host.url });
  await upsertOperator(host.db, auth, { email, password: PASSWORD, role, tenant });
  const entered = await host.call({
    method: "POST",
    path: "/api/auth/sign-in/email",
    headers: [
      ["content-type", "application/json"],
      ["origin", host.url],
    ],
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const cookie = (entered.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
  if (!cookie.includes("session_token")) throw new Error("nobody was signed in");
  return cookie;
}

/** Calls a path below `/api/v1/admin` in the host's tenant: GET without a body, else POST under a key. */
export type SignedInPerson = (path: string, body?: unknown, key?: string) => Promise<CheckedAnswer>;

/** A new person of a role on all tenants, signed in. */
export async function personOn(host: TestHost, role: Role): Promise<SignedInPerson> {
  const cookie = await signedIn(host, role);
  return (path, body, key = randomUUID()) =>
    host.call({
      method: body === undefined ? "GET" : "POST",
      path: `/api/v1/admin${path}?tenant=${host.tenant}`,
      headers: [
        ["cookie", cookie],
        ["content-type", "application/json"],
        ["origin", host.url],
        ["idempotency-key", key],
      ],
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}
