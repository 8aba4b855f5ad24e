import { cookies } from "next/headers";
import { Suspense, type ReactNode } from "react";
import { consoleRequest } from "@/app/_server/console";
import { attempt } from "@/app/_server/attempt";
import { LostConnection } from "@/components/feedback/lost-connection";
import { WhatIsDown } from "@/components/feedback/what-is-down";
import { FollowTenant } from "@/components/shell/follow-tenant";
import { Shell } from "@/components/shell/shell";
import { DENSITY_COOKIE, readDensity } from "@/presentation/list/density";
import { roleOf } from "@/engine/actions/require";
import { listSources } from "@/console/sources/list-sources";
import { sourceHref } from "@/presentation/sources/source-words";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";

/** Nothing is said that was not read. */
const NOTHING_KNOWN = { parts: [], loops: [] };

/** The frame of every page behind sign-in. Counts that did not load leave their places empty, the page still comes. */
export default async function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  const { ctx, operator, browserZone, tenant, tenants, environment } = await consoleRequest();
  const density = readDensity((await cookies()).get(DENSITY_COOKIE)?.value);
  const status = await attempt(ctx, () => readLiveStatus(ctx, { page: "" }));
  const sources = await attempt(ctx, () => listSources(ctx));
  return (
    <Shell
      person={{ name: operator.name, role: roleOf(ctx) ?? "none" }}
      zone={{ choice: operator.zone, browserZone }}
      environment={environment}
      tenant={tenant}
      tenants={tenants.map((name) => ({ name, href: `/?tenant=${encodeURIComponent(name)}` }))}
      sources={sources.ok ? sources.value.map(({ name }) => ({ name, href: sourceHref(name) })) : []}
      counts={status.ok ? status.value.counts : {}}
      reads={status.ok ? status.value.reads : undefined}
      down={status.ok ? status.value.down : NOTHING_KNOWN}
      now={status.ok ? status.value.at : new Date().toISOString()}
    >
      <Suspense>
        <FollowTenant />
      </Suspense>
      <LostConnection />
      <WhatIsDown />
      <div data-density={density} style={{ display: "contents" }}>
        {children}
      </div>
    </Shell>
  );
}
