export interface Command {
  readonly name: string;
  /** Its line in `onceboard --help`. */
  readonly says: string;
  /** Runs it; what it needs is not loaded before. */
  readonly load: () => Promise<unknown>;
}

export const COMMANDS: readonly Command[] = [
  { name: "init", says: "writes a configuration and an example operation here", load: () => import("../init") },
  {
    name: "start",
    says: "console, API and worker on this machine, with a database of its own without DATABASE_URL",
    load: () => import("../start"),
  },
  { name: "serve", says: "console and API on PORT", load: () => import("../serve") },
  { name: "api", says: "the API alone", load: () => import("../api") },
  { name: "worker", says: "recovery, relay, inbox, plans, roll-ups, retention", load: () => import("../worker") },
  { name: "migrate", says: "brings the database to this version", load: () => import("../migrate") },
  {
    name: "restored",
    says: "after a restore from a backup: before anything works on it",
    load: () => import("../restored"),
  },
  {
    name: "move-tenant",
    says: "moves a tenant to the database of another region: --tenant --to, TARGET_DATABASE_URL",
    load: () => import("../move-tenant"),
  },
  { name: "api-key", says: "makes an API key: --tenant --name --scopes", load: () => import("../api-key") },
  { name: "operator", says: "adds or changes a person: --email --password --role", load: () => import("../operator") },
  {
    name: "audit",
    says: "key, export, verify: a key for the audit, its entries in a file, and whether they hold",
    load: () => import("../audit"),
  },
  {
    name: "attach",
    says: "tables of another library: list, probe, PRESET --print, check, rows",
    load: () => import("../attach"),
  },
  { name: "doctor", says: "checks whether processes can run here, a line each", load: () => import("../doctor") },
];
