/** Of a process that runs other people's packages: the way to its programs, and nothing that the developer's environment knows besides. */
export function guestEnvironment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "TMPDIR", "NO_COLOR"];
  const kept = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NODE_ENV: "production", ...own };
}
