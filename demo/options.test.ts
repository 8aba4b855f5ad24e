import { expect, test } from "vitest";
import { demoHelp, readDemoOptions } from "./options";

test("what the demo does not know goes to the traffic", () => {
  expect(readDemoOptions(["--rate", "9", "--kill-every", "5", "--seed=3"])).toEqual({
    killEvery: 5,
    history: 1,
    attach: false,
    trafficArgs: ["--rate", "9", "--seed=3"],
  });
  expect(readDemoOptions(["--kill-every=0"])).toMatchObject({ killEvery: 0, history: 1, trafficArgs: [] });
  expect(readDemoOptions(["--attach", "--rate=1"])).toMatchObject({ attach: true, trafficArgs: ["--rate=1"] });
  expect(readDemoOptions(["--history", "0", "--rate=1"])).toMatchObject({ history: 0, trafficArgs: ["--rate=1"] });
  expect(readDemoOptions(["--history=0.2"])).toMatchObject({ history: 0.2, trafficArgs: [] });
  expect(readDemoOptions([]).killEvery).toBeGreaterThan(0);
});

test.each([
  ["--kill-every"],
  ["--kill-every=soon"],
  ["--history"],
  ["--history=2"],
  ["--rate=fast"],
  ["--unknown=1"],
  ["extra"],
])("%s is refused before anything starts", (argument) => {
  expect(() => readDemoOptions([argument])).toThrow();
});

test("the help names options that exist, with values that are accepted", () => {
  const options = [...demoHelp().matchAll(/^ +(--[a-z-]+) ([\d.]+)/gm)].flatMap(([, name = "", value = ""]) => [
    name,
    value,
  ]);
  expect(options).toContain("--kill-every");
  expect(options).toContain("--history");
  expect(options).toContain("--weight-reuse-key");
  expect(() => readDemoOptions(options)).not.toThrow();
});
