import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/values/time";
import type { KeyCallersView } from "@/presentation/views/clients";
import { noCallers } from "@/presentation/client/client-key-claims";
import { plural } from "@/presentation/format/words";
import styles from "./clients.module.css";

/** Who used a key within its last window: what taking its answer away may meet. For the evidence line of a dialog. */
export function RecentCallers({ view }: { readonly view: KeyCallersView }) {
  const { at, callers, open, expiresAt } = view;
  const none = noCallers(view);
  return (
    <>
      {none ?? (
        <ul className={styles["callers"]}>
          {callers.map((one) => (
            <li key={one.client}>
              {one.client === "" ? (
                "Client not recorded"
              ) : (
                <Link href={`/clients/${encodeURIComponent(one.client)}`}>{one.client}</Link>
              )}
              : {plural(one.requests, "request")}, last <Time at={one.lastAt} now={at} form="ago" />, answered{" "}
              {one.lastOutcome.replaceAll("_", " ")}
            </li>
          ))}
        </ul>
      )}
      <span className="small quiet">
        {open ? "Its window is open until " : "Its window was over at "}
        <Time at={expiresAt} now={at} form="day" />.
      </span>
    </>
  );
}
