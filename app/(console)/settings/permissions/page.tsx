import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { PermissionsView } from "@/components/settings/permissions-view";
import { readPermissions } from "@/console/read/access/read-permissions";

export const metadata: Metadata = { title: "Permissions" };

export default function PermissionsPage() {
  return showPage(
    { title: "Permissions", what: "The permissions", address: "/settings/permissions" },
    readPermissions,
    (view) => <PermissionsView view={view} />,
  );
}
