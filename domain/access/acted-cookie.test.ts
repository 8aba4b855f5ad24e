import { expect, it } from "vitest";
import { actedCookie, actedIn, actedPosition } from "./acted-cookie";

it("REPLICA-2 what was written is read, for as long as a replica may be behind and a little longer", () => {
  const cookie = actedCookie(123_456_789_012n, "/ops", { maxLagSeconds: 30, secure: true });
  expect(cookie).toBe("ob_acted=123456789012; Path=/ops; Max-Age=40; HttpOnly; SameSite=Lax; Secure");
  expect(actedIn(`ob_tenant=acme; ${cookie.split(";")[0] ?? ""}`)).toBe(123_456_789_012n);
  expect(actedCookie(undefined, "", { maxLagSeconds: 1, secure: false })).toContain("ob_acted=unknown; Path=/;");
});

it("REPLICA-2 nothing is an act, and what we did not write is one whose place nobody knows", () => {
  for (const none of [undefined, "", "a=b", "xob_acted=1"]) expect(actedIn(none)).toBeUndefined();
  for (const odd of ["", "-1", "0x1", "1e9", "9".repeat(21), "unknown", "' or 1=1"])
    expect(actedPosition(odd)).toBe("unknown");
});
