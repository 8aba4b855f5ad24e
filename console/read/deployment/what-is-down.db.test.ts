import { EventEmitter } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { hearDownParts } from "@/engine/telemetry/down-parts";
import { readLiveStatus } from "./read-live-status";

const LOST = "No work is lost: it waits until a worker beats again.";

const channel = new EventEmitter();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  hearDownParts(channel);
});
afterAll(() => desk.close());
beforeEach(() => desk.rows("delete from onceboard.worker_heartbeats"));

/** @param age of the last beat, in seconds; each loop beats every second */
async function beat(loop: string, age: number, instance = "worker-1"): Promise<void> {
  await desk.rows(
    `insert into onceboard.worker_heartbeats (loop, instance, at, interval_ms)
     values ($1, $2, clock_timestamp() - make_interval(secs => $3), 1000)`,
    ...[loop, instance, age],
  );
}
const down = async () => (await readLiveStatus(desk.context("viewer"), {})).down;
/** As the supervisor does over the channel. */
const hear = (message: unknown) => channel.emit("message", message);

it("RUN-10 says that no worker runs where none has beaten for a day, or none beats any more", async () => {
  expect(await down()).toEqual({ parts: [], loops: ["No worker runs.", LOST] });
  await beat("relay", 90_000);
  expect((await down()).loops).toEqual(["No worker runs.", LOST]);
  await desk.rows("delete from onceboard.worker_heartbeats");
  await beat("relay", 60);
  await beat("recovery", 60);
  expect((await down()).loops).toEqual(["No worker runs.", LOST]);
});

it("RUN-10 names the loops that have stopped while others beat, and nothing while all do", async () => {
  await beat("relay", 0);
  await beat("recovery", 0);
  expect(await down()).toEqual({ parts: [], loops: [] });
  await beat("inbox_receive", 60);
  expect((await down()).loops).toEqual(["The loop inbox receive has stopped.", LOST]);
  await beat("samples", 60);
  expect((await down()).loops).toEqual(["2 loops have stopped: inbox receive, samples.", LOST]);
  // Another process has taken the loop over.
  await beat("samples", 0, "worker-2");
  expect((await down()).loops).toEqual(["The loop inbox receive has stopped.", LOST]);
});

it("RUN-10 names the processes that the supervisor says are down, until it says otherwise", async () => {
  await beat("relay", 0);
  hear({ down: ["worker"] });
  expect((await down()).parts).toEqual(["The process worker is down and is being started again."]);
  hear({ down: ["sandbox", "worker"] });
  expect((await down()).parts).toEqual(["The processes sandbox, worker are down and are being started again."]);
  for (const other of ["down", { down: "worker" }, { down: [7] }, undefined]) hear(other);
  expect((await down()).parts).toHaveLength(1);
  hear({ down: [] });
  expect(await down()).toEqual({ parts: [], loops: [] });
});
