import type { Module } from "@/engine/index";

/** The tables of this module, and the views in which it shows what its operations left. */
export const PAYMENTS_TABLES: Pick<Module, "name" | "migrations" | "evidence"> = {
  name: "payments",
  migrations: { directory: new URL("./migrations/", import.meta.url) },
  evidence: { effects: ["payments.effects", "payments.account_effects"], entries: ["payments.entries"] },
};
