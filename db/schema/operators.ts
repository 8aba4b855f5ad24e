import { sql } from "drizzle-orm";
import { boolean, check, index, integer, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { TieReason } from "@/domain/access/ties";
import { onceboard } from "./onceboard";
import { tenants } from "./tenants";

/** People who use the console. Tables of the login library (better-auth), in our schema and under our names. */
export const operators = onceboard.table(
  "operators",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull().unique(),
    emailVerified: boolean("email_verified").notNull().default(false),
    image: text("image"),
    /** The grant on all tenants; null: none, only those of `operator_grants`. */
    role: text("role"),
    /** Signing in asks for a code too; the login library sets it. */
    twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
    /** Since when this person is shut out; every request looks. */
    disabledAt: timestamp("disabled_at", { withTimezone: true }),
    /** In which zone the person reads times: `utc`, `local` (that of the browser) or a name of the IANA database. */
    timeZone: text("time_zone").notNull().default("utc"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [check("operators_time_zone", sql`${table.timeZone} in ('utc', 'local') or ${table.timeZone} like '%/%'`)],
);

/** The role of a person in one tenant; there it counts instead of the one on all tenants. */
export const operatorGrants = onceboard.table(
  "operator_grants",
  {
    operatorId: text("operator_id")
      .notNull()
      .references(() => operators.id, { onDelete: "cascade" }),
    tenantId: text("tenant_id")
      .notNull()
      .references(() => tenants.id, { onDelete: "cascade" }),
    role: text("role").notNull(),
    grantedAt: timestamp("granted_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.operatorId, table.tenantId] }),
    index("operator_grants_tenant").on(table.tenantId),
  ],
);

export const sessions = onceboard.table(
  "sessions",
  {
    id: text("id").primaryKey(),
    token: text("token").notNull().unique(),
    userId: text("user_id")
      .notNull()
      .references(() => operators.id, { onDelete: "cascade" }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    /** When the person last proved again who they are (step-up). */
    confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

/** How an operator signs in: a password hash, or an identity at an OIDC provider. */
export const operatorAccounts = onceboard.table(
  "operator_accounts",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => operators.id, { onDelete: "cascade" }),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: timestamp("access_token_expires_at", { withTimezone: true }),
    refreshTokenExpiresAt: timestamp("refresh_token_expires_at", { withTimezone: true }),
    scope: text("scope"),
    password: text("password"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("operator_accounts_user").on(table.userId)],
);

/** The second factor of an operator: secret and backup codes, both encrypted by the login library. */
export const twoFactors = onceboard.table(
  "two_factors",
  {
    id: text("id").primaryKey(),
    secret: text("secret").notNull(),
    backupCodes: text("backup_codes").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => operators.id, { onDelete: "cascade" }),
    verified: boolean("verified").notNull().default(true),
    failedVerificationCount: integer("failed_verification_count").notNull().default(0),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
  },
  (table) => [index("two_factors_user").on(table.userId)],
);

export const verifications = onceboard.table(
  "verifications",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("verifications_identifier").on(table.identifier)],
);

/**
 * Who could have acted as whom: whoever invited a person, made a link for them, took their second factor off or changed their role held the
 * key to their account. Facts that outlive the retention of the access log; only tie_operators() writes them.
 */
export const operatorTies = onceboard.table(
  "operator_ties",
  {
    operatorId: text("operator_id").notNull(),
    /** The operator who did it. */
    tiedTo: text("tied_to").notNull(),
    why: text("why").$type<TieReason>().notNull(),
    /** The last time. */
    at: timestamp("at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.operatorId, table.tiedTo, table.why] }),
    index("operator_ties_at").on(table.at),
    check("operator_ties_why", sql`${table.why} in ('invited', 'link', 'second_factor', 'role')`),
  ],
);
