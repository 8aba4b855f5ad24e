import { expect, test } from "vitest";
import { devDependencies, dependencies } from "@/package.json";
import { guestEnvironment } from "../guest-environment";
import { installPeer } from "./install";
import { PEERS } from "./peer";

test("peers are in exact versions, and on the frameworks of this project", () => {
  const packages = PEERS.flatMap((peer) => peer.packages);
  for (const one of packages) expect(one).toMatch(/^(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/);
  expect(packages).toContain(`hono@${dependencies.hono}`);
  expect(packages).toContain(`express@${devDependencies.express}`);
});

test("none of them is a dependency of this project", () => {
  const ours = { ...dependencies, ...devDependencies };
  for (const one of ["@dbos-inc/dbos-sdk", "express-idempotency", "hono-idempotency", "@node-idempotency/core"])
    expect(ours).not.toHaveProperty([one]);
});

test("the process of a peer knows nothing of the developer's environment but the way to its programs", () => {
  process.env["BENCH_PROBE_TOKEN"] = "secret";
  try {
    expect(guestEnvironment({ PEER: "plain" })).toMatchObject({ PEER: "plain", PATH: process.env["PATH"] });
    expect(guestEnvironment({})).not.toHaveProperty("BENCH_PROBE_TOKEN");
  } finally {
    delete process.env["BENCH_PROBE_TOKEN"];
  }
});

test("a peer that the registry does not have is left out with the option that brings it", async () => {
  const missing = PEERS.filter((peer) => peer.sources !== undefined);
  expect(missing.map(({ name }) => name)).toEqual(["idempot", "hono-idempotency"]);
  for (const peer of missing)
    expect(await installPeer(peer, new Map())).toEqual({
      missing: `its source is needed: --peer-source ${peer.name}=<folder>`,
    });
});
