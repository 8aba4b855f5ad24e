/** What npm leaves out of a lockfile, and `npm ci` then misses: optional packages of platforms that could not be looked up. */

const OS = {
  darwin: "darwin",
  win32: "win32",
  linux: "linux",
  android: "android",
  freebsd: "freebsd",
  openharmony: "openharmony",
};
const CPU = ["arm64", "x64", "arm", "ia32", "ppc64", "riscv64", "s390x"];

/**
 * @param {Record<string, { optionalDependencies?: Record<string, string> }>} packages of a package-lock.json
 * @returns {{ path: string, version: string, name: string }[]} entries that should be there
 */
export function missingOptional(packages) {
  return Object.entries(packages).flatMap(([from, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !resolves(packages, from, name))
      .map(([name, version]) => ({ path: `node_modules/${name}`, name, version })),
  );
}

/** As Node looks a package up: beside the package that wants it, then further out. */
function resolves(packages, from, name) {
  for (let place = from; place; place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")))) {
    if (packages[`${place}/node_modules/${name}`]) return true;
  }
  return packages[`node_modules/${name}`] !== undefined;
}

/** @param {string} name e.g. `@next/swc-darwin-arm64` @returns {{ os: string[], cpu: string[] }} @throws for a name that says neither */
export function platformOf(name) {
  const words = name.split("/").at(-1).split("-");
  const os = words.map((word) => OS[word]).find(Boolean);
  const cpu = CPU.find((known) => words.includes(known));
  if (!os || !cpu) throw new Error(`${name} does not say its platform: add its entry to package-lock.json by hand.`);
  return { os: [os], cpu: [cpu] };
}
