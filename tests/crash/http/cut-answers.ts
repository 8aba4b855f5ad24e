import { ask, recordCall, type CrashCaller } from "../caller";
import { addRivals, type CrashRun } from "../run-state";
import { httpReader } from "@/demo/faults/http-reader";
import { startTapProxy } from "@/demo/faults/tap-proxy";
import { apiKeyFor } from "./api";
import { askApi } from "./ask-api";

/** C10: the server has answered, the client gets some of the bytes and then the end of the connection. */
export async function cutAnswer(run: CrashRun, first: CrashCaller): Promise<boolean> {
  const { session, plan, tenant } = run;
  const api = await session.api();
  const apiKey = await apiKeyFor(session.place, tenant);
  const proxy = await startTapProxy({ port: api.port, reader: httpReader });
  let caught = false;
  try {
    proxy.trap({
      at: "reply",
      matches: (label) => label.startsWith("POST "),
      caught: (held) => {
        caught = true;
        held.cut({ share: plan.share });
      },
    });
    await askOverHttp(run, proxy.port, apiKey, first);
    await Promise.all(addRivals(run).map((caller) => askOverHttp(run, api.port, apiKey, caller)));
    // The same key again, whole this time, and once more from a process that speaks no HTTP.
    if (plan.retries) {
      await askOverHttp(run, api.port, apiKey, first);
      await ask(session.place, tenant, session.rescuer, first, "crash");
    }
  } finally {
    await proxy.close();
  }
  return caught;
}

async function askOverHttp(run: CrashRun, port: number, apiKey: string, caller: CrashCaller): Promise<void> {
  const sentAt = new Date();
  caller.result = await askApi(port, apiKey, caller.wish);
  await recordCall(run.session.place, run.tenant, caller, "crash", sentAt, caller.result);
}
