import { Link } from "@/components/ui/link";
import styles from "./brand.module.css";

/** Solid, hollow, fading: it happened, it was only answered, it never was. */
export function Brand() {
  return (
    <Link className={styles["brand"]} href="/" data-plain>
      <svg width="30" height="12" viewBox="0 0 30 12" aria-hidden>
        <circle cx="6" cy="6" r="5.2" fill="currentColor" />
        <circle cx="16.4" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.4" opacity=".75" />
        <path d="M22.4 2.4a4.5 4.5 0 1 1 0 7.2" fill="none" stroke="currentColor" strokeWidth="1.4" opacity=".4" />
      </svg>
      Onceboard
    </Link>
  );
}
