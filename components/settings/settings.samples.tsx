import type { Part } from "@/components/parts/part";
import { PermissionsView } from "./permissions-view";

const read = {
  action: "operations.read",
  label: "Read operations",
  roles: ["viewer", "auditor"],
  allowed: true,
  confirmed: false,
} as const;
const settle = {
  action: "operations.resolve",
  label: "Settle",
  roles: ["admin"],
  allowed: false,
  confirmed: true,
} as const;

export const settingsParts: readonly Part[] = [
  {
    name: "PermissionsView",
    states: [
      {
        name: "of an auditor",
        shows: <PermissionsView view={{ role: "auditor", roles: ["viewer", "auditor"], actions: [read, settle] }} />,
        says: [
          "You are an auditor.",
          "You may do 1 of 2 things here.",
          "viewer may",
          "auditor may not",
          "operations.resolve, asks again",
        ],
        lacks: ["operations.read, asks again"],
        has: ['th[data-own="true"]'],
      },
      {
        name: "of a viewer",
        shows: <PermissionsView view={{ role: "viewer", roles: ["viewer"], actions: [read] }} />,
        says: ["You are a viewer."],
      },
    ],
  },
];
