import { pathToFileURL } from "node:url";
import type { Module } from "@/engine/index";

/** The tables of this module, and the views in which it shows what its operations left. */
export const PAYMENTS_TABLES: Pick<Module, "name" | "migrations" | "evidence"> = {
  name: "payments",
  // Not `new URL("./migrations/", import.meta.url)`: a bundler takes that for a file that it must find.
  migrations: { directory: pathToFileURL(`${import.meta.dirname}/migrations/`) },
  evidence: { effects: ["payments.effects", "payments.account_effects"], entries: ["payments.entries"] },
};
