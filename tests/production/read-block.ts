const HEADING = "## In production";
const BLOCK = /```sh\n([\s\S]*?)```/;
/** What a reader fills in: the owner's address, and the server of the login's. */
const OWNER = /(?<=^export MIGRATE_DATABASE_URL=)\S+/m;
const LOGIN_SERVER = /(?<=^export DATABASE_URL=.*@)[^\s/@]+(?=\/\S*$)/m;
const INSTALL = /^npm ci\n/m;

/**
 * The production block of the README as somebody would paste it, with the address of a database of theirs.
 *
 * @param ownerUrl of an empty database, as its owner
 * @param install false leaves `npm ci` out, where the packages are there already
 * @throws Error when the README has no such block
 */
export function readBlock(readme: string, ownerUrl: string, install: boolean): string {
  const block = BLOCK.exec(readme.slice(readme.indexOf(HEADING)))?.[1];
  if (
    !readme.includes(HEADING) ||
    block === undefined ||
    !OWNER.test(block) ||
    !LOGIN_SERVER.test(block) ||
    !INSTALL.test(block)
  )
    throw new Error(`The README has no block of commands below "${HEADING}" that installs and names both logins.`);
  const named = block.replace(OWNER, ownerUrl).replace(LOGIN_SERVER, new URL(ownerUrl).host);
  return install ? named : named.replace(INSTALL, "");
}
