/** Where a running stack is, written by the global set-up and read by every test of its worker. */
export interface StackInfo {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  readonly databaseUrl: string;
  /** Of this stack alone: a test seals with it what only a running process would. */
  readonly encryptionKeys: string;
  /** API keys of till-web, partner-lumen and of a script with scope admin. */
  readonly key: string;
  readonly otherKey: string;
  readonly adminKey: string;
}

/** @param index of the stack, from 0; a worker's own is its `TEST_PARALLEL_INDEX` */
export const stackFile = (index: number): string => `test-results/.stack/${String(index)}.json`;
export const PASSWORD = "correct horse battery staple";
export const PEOPLE = [
  { email: "viewer@example.com", role: "viewer", name: "Vera Lindqvist" },
  { email: "operator@example.com", role: "operator", name: "Mira Okafor" },
  { email: "admin@example.com", role: "admin", name: "Ines Duarte" },
  { email: "approver@example.com", role: "approver", name: "Noor Haddad" },
  { email: "auditor@example.com", role: "auditor", name: "Theo Brandt" },
] as const;
export type RoleName = (typeof PEOPLE)[number]["role"];
