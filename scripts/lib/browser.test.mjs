import { expect, test } from "vitest";
import { installedBrowser, waysToInstall } from "./browser.mjs";
import { mayInstall } from "./install.mjs";

const world = (env, programs, own) => ({
  env,
  isExecutable: (path) => programs.includes(path),
  playwrightBrowser: () => own,
});

test("CHROMIUM_PATH wins over everything", () => {
  const found = installedBrowser(world({ CHROMIUM_PATH: "/x/c", PATH: "/usr/bin" }, ["/x/c", "/usr/bin/chromium"]));
  expect(found).toEqual({ path: "/x/c", from: "CHROMIUM_PATH" });
});

test("a CHROMIUM_PATH that is no program is said, not passed over", () => {
  expect(() => installedBrowser(world({ CHROMIUM_PATH: "/x/c", PATH: "/usr/bin" }, ["/usr/bin/chromium"]))).toThrow(
    "CHROMIUM_PATH names /x/c",
  );
});

test("PATH is searched in its order, under every usual name", () => {
  expect(installedBrowser(world({ PATH: "/a:/b" }, ["/b/chromium", "/a/google-chrome"]))).toEqual({
    path: "/a/google-chrome",
    from: "PATH",
  });
});

test("a PATH that was cut short does not hide a browser that is installed", () => {
  expect(installedBrowser(world({ PATH: "/a" }, ["/usr/bin/chromium"]))).toEqual({
    path: "/usr/bin/chromium",
    from: "usual place",
  });
});

test("Playwright's own browser comes after PATH, and only when it is really there", () => {
  expect(installedBrowser(world({ PATH: "/a" }, ["/p/chrome"], "/p/chrome"))).toEqual({
    path: "/p/chrome",
    from: "playwright",
  });
  expect(installedBrowser(world({ PATH: "/a" }, [], "/p/chrome"))).toBeUndefined();
  expect(installedBrowser(world({}, [], undefined))).toBeUndefined();
});

test("the system's package manager is asked only as root and only where there is one", () => {
  expect(waysToInstall(mayInstall(true, true))).toEqual(["playwright", "apt"]);
  expect(waysToInstall(mayInstall(false, true))).toEqual(["playwright"]);
  expect(waysToInstall(mayInstall(true, false))).toEqual(["playwright"]);
});
