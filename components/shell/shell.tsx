import type { ReactNode } from "react";
import type { LiveProviderProps } from "./live-provider";
import { LiveProviderOf } from "./live-provider-of";
import { PendingPage } from "./pending-page";
import { Sidebar, type ShellPerson } from "./sidebar";
import { SectionMenus, TabBar } from "./sections";
import type { SourceLink } from "./source-switch";
import { TopBar } from "./top-bar";
import { ZoneOfPerson, type ZoneOfPersonProps } from "./zone-of-person";
import styles from "./shell.module.css";

export interface FrameFacts {
  readonly live: LiveProviderProps["initial"];
  /** Attached databases of the tenant, each with its address. */
  readonly sources: readonly SourceLink[];
}

export interface ShellProps {
  readonly person: ShellPerson;
  /** In which zone the person reads times. */
  readonly zone: Pick<ZoneOfPersonProps, "choice" | "browserZone">;
  /** "Production" is solid ink, every other name an outline. */
  readonly environment: string;
  readonly tenant: string;
  /** Tenants that this person may look into, each with its address. */
  readonly tenants: readonly { readonly name: string; readonly href: string }[];
  /** What is read for the frame while the page in it is rendered; settles, and never fails. */
  readonly facts: Promise<FrameFacts>;
  readonly children: ReactNode;
}

/** The frame of every page behind sign-in: sidebar, top bar, bottom bar on the phone, live counts. */
export function Shell({ person, zone, environment, tenant, tenants, facts, children }: ShellProps) {
  return (
    <LiveProviderOf tenant={tenant} initial={facts.then(({ live }) => live)}>
      <ZoneOfPerson tenant={tenant} {...zone}>
        <a className={styles["skip"]} href="#main">
          Skip to the page
        </a>
        <div className={styles["app"]}>
          <Sidebar person={person} />
          <div className={styles["body"]}>
            <TopBarOf facts={facts} {...{ environment, tenant, tenants }} />
            <SectionMenus />
            <main id="main" className={styles["main"]} tabIndex={-1}>
              <PendingPage>{children}</PendingPage>
            </main>
          </div>
        </div>
        <TabBar />
      </ZoneOfPerson>
    </LiveProviderOf>
  );
}

async function TopBarOf({ facts, ...rest }: Pick<ShellProps, "facts" | "environment" | "tenant" | "tenants">) {
  const { live, sources } = await facts;
  return <TopBar {...rest} sources={sources} now={live.at} />;
}
