import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHost, type TestHost } from "@/http/testing/host";
import { sendProbes } from "./campaign";
import { openWorld, type World } from "./world";

/** A share of what `npm run test:cross-tenant` sends. */
const PROBES = 300;

describe("somebody of one tenant reaches nothing of another", () => {
  let host: TestHost;
  let world: World;
  beforeAll(async () => {
    host = await openHost("mounted", { limits: { admin: { perSecond: 100_000, burst: 1_000_000 } } });
    world = await openWorld(host);
  });
  afterAll(() => host.close());

  it(`by ${String(PROBES)} requests, and could have been told of it`, async () => {
    const seed = process.env["CROSS_TENANT_SEED"] ?? String(Date.now());
    const { findings, control, sent } = await sendProbes(world, {
      probes: PROBES,
      seed,
      pages: [],
      say: () => undefined,
    });
    expect(
      findings.map(({ probe, why }) => [
        seed,
        probe.caller.name,
        probe.attack,
        probe.target.method,
        probe.path,
        probe.body,
        why,
      ]),
    ).toEqual([]);
    expect(sent).toBe(PROBES);
    // Lists of the other tenant show it to somebody with a grant there.
    for (const list of [
      "operations",
      "conflicts",
      "outbox",
      "dead-letters",
      "audit",
      "clients",
      "views",
      "plans",
      "settings",
    ])
      expect(control).toContain(`/api/v1/admin/${list}`);
  });
});
