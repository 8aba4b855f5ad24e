const SEMANTIC = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const HEADING = /^## (.+)$/gm;
const UNRELEASED = "Unreleased";

/**
 * @param {{ version: string, lockVersion: string, changelog: string, tags: readonly string[] }} stated `tags` are those of HEAD
 * @returns {string[]} sentences about what does not agree
 */
export function versionProblems({ version, lockVersion, changelog, tags }) {
  const problems = [];
  if (!SEMANTIC.test(version)) problems.push(`package.json has the version ${version}, which is no semantic version`);
  if (lockVersion !== version)
    problems.push(`package-lock.json has the version ${lockVersion}, package.json ${version}`);
  const headings = [...changelog.matchAll(HEADING)].map(([, text]) => text.split(" ")[0]);
  const newest = headings.find((heading) => heading !== UNRELEASED);
  if (newest !== version)
    problems.push(`The newest version of CHANGELOG.md is ${newest}, that of package.json ${version}`);
  const released = tags.filter((tag) => /^v\d/.test(tag));
  for (const tag of released.filter((each) => each !== `v${version}`)) {
    problems.push(`HEAD is tagged ${tag}, and package.json has the version ${version}`);
  }
  if (released.length > 0 && headings.includes(UNRELEASED)) {
    problems.push(`HEAD is tagged ${released.join(", ")}, and CHANGELOG.md has changes under "${UNRELEASED}"`);
  }
  return problems;
}
