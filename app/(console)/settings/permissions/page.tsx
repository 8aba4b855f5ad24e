import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { PermissionsView } from "@/components/settings/permissions-view";
import { readPermissions } from "@/console/read/access/read-permissions";

export const metadata: Metadata = { title: "Permissions" };

export default consolePage({
  title: "Permissions",
  what: "The permissions",
  path: "/settings/permissions",
  read: readPermissions,
  show: (view) => <PermissionsView view={view} />,
});
