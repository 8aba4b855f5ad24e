const HEADING = "## In production";
const BLOCK = /```sh\n([\s\S]*?)```/;
/** The one thing that a reader fills in. */
const ADDRESS = /(?<=^export DATABASE_URL=)\S+/m;
const INSTALL = /^npm ci\n/m;

/**
 * The production block of the README as somebody would paste it, with the address of a database of theirs.
 *
 * @param install false leaves `npm ci` out, where the packages are there already
 * @throws Error when the README has no such block
 */
export function readBlock(readme: string, databaseUrl: string, install: boolean): string {
  const block = BLOCK.exec(readme.slice(readme.indexOf(HEADING)))?.[1];
  if (!readme.includes(HEADING) || block === undefined || !ADDRESS.test(block) || !INSTALL.test(block))
    throw new Error(`The README has no block of commands below "${HEADING}" that installs and names DATABASE_URL.`);
  const named = block.replace(ADDRESS, databaseUrl);
  return install ? named : named.replace(INSTALL, "");
}
