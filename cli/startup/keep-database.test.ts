import { expect, test, vi } from "vitest";
import { keepDatabase } from "./keep-database";

test("RUN-10 a database that is gone is started again, a failure is said and tried again, and a stop ends it", async () => {
  const said: string[] = [];
  const stopping = new AbortController();
  let up = false;
  let tries = 0;
  const database = {
    alive: () => up,
    revive: () => {
      tries += 1;
      if (tries < 3) return Promise.reject(new Error("The database in x did not start: no room"));
      up = true;
      return Promise.resolve();
    },
  };
  const kept = keepDatabase(database, (line) => void said.push(line), stopping.signal);
  await vi.waitFor(() => expect(said).toContain("the database is up again"), 15_000);
  expect(said).toEqual([
    "the database ended, starting it again",
    "the database did not start: The database in x did not start: no room",
    "the database did not start: The database in x did not start: no room",
    "the database is up again",
  ]);
  stopping.abort();
  await kept;
  up = false;
  expect(tries).toBe(3);
});
