import { Link } from "@/components/ui/link";
import { CopyText } from "@/components/ui/values/copy-text";
import { Offer } from "@/components/ui/offer";
import { CopyPlace } from "@/components/ui/place-link";
import { ToolMenu } from "@/components/ui/tool-menu";
import { pageParam, type PageAddress } from "@/presentation/list/page-address";
import { keptSearch, systemViews, type ViewPage, viewPage } from "@/presentation/list/saved-view";
import type { SavedView } from "@/presentation/views/saved-views";
import { LazyViewDialog } from "./lazy-view-dialog";
import styles from "./views.module.css";

export interface ViewsMenuProps {
  readonly page: ViewPage;
  readonly views: readonly SavedView[];
  readonly address: PageAddress;
  /** Named in copied links, so that they open for everybody. */
  readonly tenant: string;
  /** Why this person may not save one; undefined: may. */
  readonly whyNot?: string | undefined;
}

interface PageViewsProps {
  readonly facts: Omit<ViewsMenuProps, "address" | "whyNot"> & { readonly whyNotSave?: string | undefined };
  readonly address: PageAddress;
}

/** The menu of views of a page, and its dialogs. */
export function PageViews({ facts: { page, views, tenant, whyNotSave }, address }: PageViewsProps) {
  return (
    <>
      <ViewsMenu page={page} views={views} address={address} tenant={tenant} whyNot={whyNotSave} />
      <LazyViewDialog
        page={page}
        title={viewPage(page).title}
        views={views.map(({ id, name, mayChange, createdBy }) => ({ id, name, mayChange, createdBy }))}
        search={keptSearch(page, address.search).search}
        whyNot={whyNotSave}
      />
    </>
  );
}

/** Views of a list: built in, saved by somebody here, and what may be done with the one that is looked at. */
export function ViewsMenu({ page, views, address, tenant, whyNot }: ViewsMenuProps) {
  const current = views.find(({ id }) => id === pageParam(address, "view"));
  return (
    <ToolMenu label="Views">
      <h3>Built in</h3>
      <ul className={styles["list"]}>
        {systemViews(page).map(({ name, href }) => (
          <li key={name}>
            <Link href={href}>{name}</Link>
          </li>
        ))}
      </ul>
      <h3>Saved, for everybody here</h3>
      {views.length === 0 ? (
        <p className="soft">None. Set filters, order and columns, then save them under a name.</p>
      ) : (
        <ul className={styles["list"]}>
          {views.map((view) => (
            <li key={view.id} data-current={view === current || undefined}>
              <Link href={view.href} aria-current={view === current ? "true" : undefined}>
                {view.name}
              </Link>
              <small>by {view.createdBy}</small>
              <CopyText text={`/views/${view.id}?tenant=${encodeURIComponent(tenant)}`}>Copy link</CopyText>
            </li>
          ))}
        </ul>
      )}
      {current !== undefined && <Current view={current} address={address} />}
      <div className={styles["acts"]}>
        <Offer small primary dialog="view:save" notOffered={whyNot}>
          Save as a new view
        </Offer>
        <CopyPlace place={{ tenant }}>Copy link to this page</CopyPlace>
      </div>
    </ToolMenu>
  );
}

function Current({ view, address }: { readonly view: SavedView; readonly address: PageAddress }) {
  const changed = keptSearch(view.page, address.search).search !== view.search;
  const whyNot = view.mayChange ? undefined : `Only ${view.createdBy} and an admin may change this view.`;
  return (
    <>
      <h3>
        {view.name}
        {changed ? ", changed since it was saved" : ""}
      </h3>
      <div className={styles["acts"]}>
        <Offer
          small
          dialog={`view:overwrite:${view.id}`}
          notOffered={whyNot ?? (changed ? undefined : "This page is what the view keeps.")}
        >
          Overwrite
        </Offer>
        <Offer small dialog={`view:rename:${view.id}`} notOffered={whyNot}>
          Rename
        </Offer>
        <Offer small dialog={`view:delete:${view.id}`} notOffered={whyNot}>
          Delete
        </Offer>
      </div>
    </>
  );
}
