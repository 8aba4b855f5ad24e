import { ask, write, type Caller } from "../caller";
import { addCaller, type Run } from "../run-state";
import { httpReader } from "../wire/http-reader";
import { startTapProxy } from "../wire/tap-proxy";
import { apiKeyFor } from "./api";
import { askApi } from "./ask-api";

/** C10: the server has answered, the client gets some of the bytes and then the end of the connection. */
export async function cutAnswer(run: Run, first: Caller): Promise<boolean> {
  const { lane, plan, tenant } = run;
  const api = await lane.api();
  const apiKey = await apiKeyFor(lane.place, tenant);
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
    const others = Array.from({ length: plan.rivals }, (_, index) =>
      addCaller(run, `rival-${String(index)}`, {
        patient: true,
        other: plan.otherCommand && index === 0 && plan.operation !== "void",
      }),
    );
    await Promise.all(others.map((caller) => askOverHttp(run, api.port, apiKey, caller)));
    // The same key again, whole this time, and once more from a process that speaks no HTTP.
    if (plan.patient) {
      await askOverHttp(run, api.port, apiKey, first);
      await ask(lane.place, tenant, lane.rescuer, first, "crash");
    }
  } finally {
    await proxy.close();
  }
  return caught;
}

async function askOverHttp(run: Run, port: number, apiKey: string, caller: Caller): Promise<void> {
  const sentAt = new Date();
  caller.told = await askApi(port, apiKey, caller.wish);
  await write(run.lane.place, run.tenant, caller, "crash", sentAt, caller.told);
}
