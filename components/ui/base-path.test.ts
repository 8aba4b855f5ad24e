// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** As a build for this base path has it. */
async function builtFor(basePath: string) {
  vi.stubEnv("NEXT_PUBLIC_BASE_PATH", basePath);
  return import("./base-path");
}

const at = (pathname: string) => {
  vi.stubGlobal("location", { pathname });
  window.location.pathname = pathname;
};

describe("addresses of a page", () => {
  test("are as they are written at the root of a host", async () => {
    const { below, pathHere, COOKIE_PATH } = await builtFor("");
    at("/operations");
    expect([below("/api/v1/x?y=1"), COOKIE_PATH, pathHere()]).toEqual(["/api/v1/x?y=1", "/", "/operations"]);
  });

  test("get the base path where the browser follows them, and lose it where the router does", async () => {
    const { below, pathHere, COOKIE_PATH } = await builtFor("/ops");
    at("/ops/operations");
    expect([below("/api/v1/x?y=1"), COOKIE_PATH, pathHere()]).toEqual(["/ops/api/v1/x?y=1", "/ops", "/operations"]);
    expect([below("/"), below("/?range=6h"), below("/#main")]).toEqual(["/ops", "/ops?range=6h", "/ops#main"]);
    expect(below("https://ci.example.com/run/1")).toBe("https://ci.example.com/run/1");
    at("/ops");
    expect(pathHere()).toBe("/");
  });

  test("of the API are asked below it", async () => {
    const { askOwn } = await builtFor("/ops");
    const asked = vi.fn<typeof fetch>(() => Promise.resolve(new Response()));
    vi.stubGlobal("fetch", asked);
    await askOwn("/api/auth/get-session");
    expect(asked.mock.calls[0]?.[0]).toBe("/ops/api/auth/get-session");
  });
});
