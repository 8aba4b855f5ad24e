import type { ReactNode } from "react";
import type { NavCounts } from "@/presentation/metrics/live-status";
import type { DownView } from "@/presentation/metrics/down";
import type { PageReadsView } from "@/presentation/metrics/page-reads";
import { LiveProvider } from "./live-provider";
import { PendingPage } from "./pending-page";
import { Sidebar, type ShellPerson } from "./sidebar";
import { SectionMenus, TabBar } from "./sections";
import type { SourceLink } from "./source-switch";
import { TopBar } from "./top-bar";
import { ZoneOfPerson, type ZoneOfPersonProps } from "./zone-of-person";
import styles from "./shell.module.css";

export interface ShellProps {
  readonly person: ShellPerson;
  /** In which zone the person reads times. */
  readonly zone: Pick<ZoneOfPersonProps, "choice" | "browserZone">;
  /** "Production" is solid ink, every other name an outline. */
  readonly environment: string;
  readonly tenant: string;
  /** Tenants that this person may look into, each with its address. */
  readonly tenants: readonly { readonly name: string; readonly href: string }[];
  /** Attached databases of the tenant, each with its address. */
  readonly sources: readonly SourceLink[];
  readonly counts: NavCounts;
  /** What does not run, as of this rendering. */
  readonly down: DownView;
  /** In a deployment with a read replica: where this rendering was read. */
  readonly reads?: PageReadsView | undefined;
  /** Database time of this rendering, RFC 3339. */
  readonly now: string;
  readonly children: ReactNode;
}

/** The frame of every page behind sign-in: sidebar, top bar, bottom bar on the phone, live counts. */
export function Shell({
  person,
  zone,
  environment,
  tenant,
  tenants,
  sources,
  counts,
  down,
  reads,
  now,
  children,
}: ShellProps) {
  return (
    <LiveProvider tenant={tenant} initial={{ at: now, counts, down, reads }}>
      <ZoneOfPerson tenant={tenant} {...zone}>
        <a className={styles["skip"]} href="#main">
          Skip to the page
        </a>
        <div className={styles["app"]}>
          <Sidebar person={person} />
          <div className={styles["body"]}>
            <TopBar environment={environment} tenant={tenant} tenants={tenants} sources={sources} now={now} />
            <SectionMenus />
            <main id="main" className={styles["main"]} tabIndex={-1}>
              <PendingPage>{children}</PendingPage>
            </main>
          </div>
        </div>
        <TabBar />
      </ZoneOfPerson>
    </LiveProvider>
  );
}
