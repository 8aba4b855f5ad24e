import { postgresUrl } from "./key-store-config";
import { whole } from "./config-values";

const MAX_LAG_SECONDS = 3_600;

/** A streaming standby that pages are read from (docs/scale/read-replica.md). */
export const replicaSettings = {
  /** Without it pages are read from DATABASE_URL, as everything else. */
  databaseUrlRead: postgresUrl.optional(),
  /** Seconds: a standby that is further behind is not read from. */
  readReplicaMaxLagSeconds: whole(1, MAX_LAG_SECONDS, 10),
};

interface ReplicaSettings {
  readonly databaseUrl?: string | undefined;
  readonly databaseUrlRead?: string | undefined;
}

/** @returns what is wrong between values that are each in order */
export function replicaContradictions({ databaseUrl, databaseUrlRead }: ReplicaSettings): string[] {
  if (databaseUrlRead === undefined) return [];
  if (databaseUrl === undefined) return ["DATABASE_URL_READ needs DATABASE_URL"];
  return databaseUrlRead === databaseUrl
    ? ["DATABASE_URL_READ must not be DATABASE_URL: it names a standby of it"]
    : [];
}
