import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { guestEnvironment } from "../../guest-environment";
import { installPackages } from "../../install-packages";
import { ONE_AT_A_TIME, type Contender, type OpenContender, type WorkKind } from "../contender";
import type { ContenderCall, ContenderQuestion, ContenderReply } from "./protocol";

/** The programs of today, beside those that this project's Node.js runs. */
const NODE = "24.22.3";
const [PG_BOSS, GRAPHILE_WORKER] = ["12.38.0", "0.18.0"];
const CLOSE_MS = 10_000;

interface NewerPrograms {
  /** In its own process each, with the same settings as the pinned ones. */
  contenders(work: WorkKind): Contender[];
  /** Why they are left out. */
  readonly remarks: readonly string[];
}

/** Brings them, and the Node.js that they need, from npm. */
export async function newerPrograms(): Promise<NewerPrograms> {
  const node = `node-${process.platform}-${process.arch}`;
  const packages = [`pg-boss@${PG_BOSS}`, `graphile-worker@${GRAPHILE_WORKER}`, `${node}@${NODE}`];
  const installed = await installPackages("newer-messages", packages);
  if ("missing" in installed)
    return {
      contenders: () => [],
      remarks: [`pg-boss ${PG_BOSS} and graphile-worker ${GRAPHILE_WORKER}: not measured, ${installed.missing}`],
    };
  const { folder } = installed;
  const one = (program: string, version: string, settings: string, lanes: number) => (work: WorkKind) => ({
    ...ONE_AT_A_TIME,
    ...{ name: `${program} ${version}`, work, lanes },
    settings: `${settings}, in a process of Node.js ${NODE}`,
    open: (url: string) =>
      openNewer({ folder, node: join(folder, "node_modules", node, "bin/node") }, program, work, url),
  });
  const all = [
    one(
      "pg-boss",
      PG_BOSS,
      "insert, fetch and complete in batches, 1000 fetched at once, 2 workers, without priority",
      2,
    ),
    one(
      "graphile-worker",
      GRAPHILE_WORKER,
      "add_jobs in batches, 24 jobs at once, local queue of 500, completed in batches",
      1,
    ),
  ];
  return { contenders: (work) => all.map((make) => make(work)), remarks: [] };
}

async function openNewer(
  { folder, node }: Readonly<Record<"folder" | "node", string>>,
  program: string,
  work: WorkKind,
  url: string,
): Promise<OpenContender> {
  const child = fork(join(import.meta.dirname, "main.ts"), {
    execPath: node,
    execArgv: ["--import", "tsx"],
    env: guestEnvironment({ PACKAGES: folder }),
  });
  const ask = questions(child);
  await ask({ do: "open", program, work, url });
  return {
    send: async (ids) => void (await ask({ do: "send", ids })),
    finishSome: (lane) => ask({ do: "finish some", lane }),
    processorTime: () => ask({ do: "processor time" }),
    async close() {
      await ask({ do: "close" });
      const ended = once(child, "exit", { signal: AbortSignal.timeout(CLOSE_MS) });
      child.disconnect();
      await ended;
    },
  };
}

/** @returns asks the process; rejected with what failed there, or when it ends */
function questions(child: ChildProcess): (asked: ContenderCall) => Promise<number> {
  const open = new Map<
    number,
    { readonly resolve: (value: number) => void; readonly reject: (error: Error) => void }
  >();
  let last = 0;
  child.on("message", (reply: ContenderReply) => {
    const asked = open.get(reply.id);
    open.delete(reply.id);
    if ("failed" in reply) asked?.reject(new Error(reply.failed));
    else asked?.resolve(reply.value);
  });
  child.on("exit", (code) => {
    for (const { reject } of open.values())
      reject(new Error(`the process of the contender ended with ${String(code)}`));
  });
  return (asked) =>
    new Promise((resolve, reject) => {
      last += 1;
      const question: ContenderQuestion = { id: last, asked };
      open.set(question.id, { resolve, reject });
      child.send(question, (error) => {
        if (error !== null) reject(error);
      });
    });
}
