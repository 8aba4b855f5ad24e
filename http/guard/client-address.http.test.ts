import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SIGN_IN_ATTEMPTS } from "@/auth/sign-in/sign-in-limit";
import { openHost, type TestHost } from "../testing/host";

/** Statuses of sign-ins with a wrong password, one after the other, as a balancer on this machine forwards them. */
async function wrongSignIns(host: TestHost, email: string, forwarded: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const answer = await fetch(`${host.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: host.url, "x-forwarded-for": forwarded },
      body: JSON.stringify({ email, password: `wrong ${String(round)} password` }),
    });
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  return statuses;
}

const SIGN_INS = Array<number>(SIGN_IN_ATTEMPTS).fill(401);

describe("behind a balancer of TRUSTED_PROXIES", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost("hono", { env: { TRUSTED_PROXIES: "127.0.0.0/8,::1" } });
  });
  afterAll(() => host.close());

  it("each client address has a limit of its own, whatever it writes before", async () => {
    const email = "mira@example.com";
    expect(await wrongSignIns(host, email, "198.51.100.1", SIGN_IN_ATTEMPTS + 1)).toEqual([...SIGN_INS, 429]);
    expect(await wrongSignIns(host, email, "203.0.113.250, 198.51.100.1", 1)).toEqual([429]);
    expect(await wrongSignIns(host, email, "198.51.100.2", 1)).toEqual([401]);
  });
});

describe("without TRUSTED_PROXIES", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost("hono");
  });
  afterAll(() => host.close());

  it("the header counts for nothing: a guesser has the limit of its socket", async () => {
    const statuses: number[] = [];
    for (let sender = 1; sender <= SIGN_IN_ATTEMPTS + 1; sender += 1)
      statuses.push(...(await wrongSignIns(host, "noor@example.com", `198.51.100.${String(sender)}`, 1)));
    expect(statuses).toEqual([...SIGN_INS, 429]);
  });
});
