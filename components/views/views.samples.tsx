import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, type Part } from "@/components/parts/part";
import { LazyViewDialog } from "./lazy-view-dialog";
import { ViewDialog, type ViewDialogProps } from "./view-dialog";

const MINE = { id: SAMPLE_ID, name: "By client", mayChange: true, createdBy: "Ada" };
const props: ViewDialogProps = { page: "metrics", title: "Metrics", views: [MINE], search: "?range=24h&group=client" };
const dialog = (changes: Partial<ViewDialogProps> = {}) => inLive(<ViewDialog {...props} {...changes} />);

export const viewParts: readonly Part[] = [
  {
    name: "ViewDialog",
    states: [
      { name: "the address names none", shows: dialog(), hasNot: ["form"] },
      {
        name: "saves what the page shows",
        search: "dialog=view%3Asave",
        shows: dialog(),
        says: ["Save these filters of metrics as a view?", "range=24h&group=client", "Save 1 view"],
      },
      {
        name: "nothing is filtered",
        search: "dialog=view%3Asave",
        shows: dialog({ search: "" }),
        says: ["the standard list, nothing filtered"],
      },
      {
        name: "gives another name",
        search: `dialog=view%3Arename%3A${SAMPLE_ID}`,
        shows: dialog(),
        says: ['Give "By client" another name?', "Rename 1 view"],
      },
      {
        name: "somebody else's",
        search: `dialog=view%3Adelete%3A${SAMPLE_ID}`,
        shows: dialog({ views: [{ ...MINE, mayChange: false }] }),
        says: ['Delete "By client" for everybody?', "Only Ada and an admin may change this view."],
        off: ["Delete 1 view"],
      },
      {
        name: "there is no such view any more",
        search: "dialog=view%3Aoverwrite%3Anone",
        shows: dialog(),
        says: ['Let "this view" keep what this page shows?', "There is no such view."],
        off: ["Overwrite 1 view"],
      },
    ],
  },
  {
    name: "LazyViewDialog",
    states: [
      {
        name: "nothing is loaded before a dialog is asked for",
        shows: inLive(<LazyViewDialog {...props} />),
        hasNot: ["*"],
      },
    ],
  },
];
