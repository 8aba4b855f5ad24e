/** Of the answers' shape, by version of the contract. */
export type Versions = Readonly<Record<string, string>>;

interface Versioned {
  readonly apiVersion: string;
  readonly schemaVersion: string;
  readonly versions?: Versions | undefined;
}

/** @returns the version of the answers' shape; of a version of the contract that is not offered (any more), today's */
export function schemaVersionOf(definition: Omit<Versioned, "apiVersion">, apiVersion: string | null): string {
  return definition.versions?.[apiVersion ?? ""] ?? definition.schemaVersion;
}

/** @returns the latest version of the contract that this process knows */
export function newestVersion({ apiVersion, versions = {} }: Omit<Versioned, "schemaVersion">): string {
  return Object.keys(versions).reduce((newest, each) => (each > newest ? each : newest), apiVersion);
}
