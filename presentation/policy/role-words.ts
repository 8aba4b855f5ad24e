import type { Role } from "@/domain/idempotency/states";

/** What a role is for, in one sentence; permission.ts has what it may do. */
export const ROLE_NOTES: Readonly<Record<Role, string>> = {
  viewer: "Reads everything but bodies, people and the access log.",
  operator: "Reads bodies too, and acts; approves nothing.",
  approver: "Reads bodies too, and decides on plans that others ask for; does not act.",
  admin: "May do everything, and says who may what.",
  auditor: "Reads everything but bodies and people, verifies and exports the audit; does not act.",
};

/** "an operator", "a viewer". */
export function withArticle(role: Role): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}
