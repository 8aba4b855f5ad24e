import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@/db/client";
import type { TestBroker } from "@/engine/testing/brokers";
import { brokerKinds, processes, serverKinds, sessionKinds, type Group, type Kind } from "../crash/messages/faults";
import type { KillablePostgres } from "../crash/messages/postgres";
import type { SoakDeployment } from "./deployment";
import type { SmallDisk } from "./small-disk";
import type { SoakBroker } from "./soak-broker";

interface SoakTargets {
  readonly deployment: SoakDeployment;
  readonly postgres: KillablePostgres;
  readonly db: Database;
  readonly broker: TestBroker;
  readonly brokerName: SoakBroker;
  readonly disk: SmallDisk | undefined;
}

const FULL_MS = 10_000;
const STARTS = 5;
/** What the processes call their sessions. */
const OURS = "^onceboard (api|worker)";

/** What is done to the deployment: groups beside each other, what is in a group one after the other. */
export function soakFaults({ deployment, postgres, db, broker, brokerName, disk }: SoakTargets): Group[] {
  const { apis, workers, sandbox } = deployment;
  const database = [...serverKinds(postgres), ...diskKinds(postgres, disk)];
  return [
    // A start takes some of these seconds, and the server works for the rest.
    { kinds: database.map((kind) => patient(kind, () => postgres.restart("kill", 0))), gapMs: [5_000, 10_000] },
    { kinds: sessionKinds(db, OURS), gapMs: [3_000, 7_000] },
    { kinds: processes("api", apis), gapMs: [8_000, 16_000] },
    { kinds: processes("worker", workers), gapMs: [8_000, 16_000] },
    { kinds: processes("provider", [sandbox]), gapMs: [10_000, 20_000] },
    {
      kinds: brokerKinds(brokerName, broker).map((kind) => patient(kind, () => broker.restart())),
      gapMs: [15_000, 30_000],
    },
  ];
}

/** A server that does not come up in time, on a machine that is busy with all of this, is started again. */
function patient(kind: Kind, startAgain: () => Promise<void>): Kind {
  return {
    name: kind.name,
    async act(random) {
      try {
        await kind.act(random);
      } catch (error) {
        await startPatiently(startAgain, error);
      }
    },
  };
}

async function startPatiently(startAgain: () => Promise<void>, why: unknown): Promise<void> {
  for (let attempt = 0; attempt < STARTS; attempt += 1) {
    const isUp = await startAgain().then(
      () => true,
      () => false,
    );
    if (isUp) return;
  }
  throw why;
}

function diskKinds(postgres: KillablePostgres, disk: SmallDisk | undefined): Kind[] {
  if (disk === undefined) return [];
  return [
    {
      name: "disk full for 10 s",
      async act() {
        await disk.fill();
        await delay(FULL_MS);
        disk.free();
        // A server that could not write its log has stopped, and is started as an operator would.
        await postgres.restart("immediate", 0);
      },
    },
  ];
}
