import { Brand } from "./brand";
import { PlaceLinks } from "./nav-count";
import { NAVIGATION } from "./navigation";
import { SignOut } from "./sign-out";
import styles from "./sidebar.module.css";

export function Sidebar({ person }: { readonly person: ShellPerson }) {
  return (
    <div className={styles["railColumn"]}>
      <aside className={styles["rail"]}>
        <Brand />
        <nav className={styles["nav"]} aria-label="Places">
          {NAVIGATION.map((group) => (
            <div key={group.label}>
              <h2>{group.label}</h2>
              <PlaceLinks items={group.items} />
            </div>
          ))}
        </nav>
        <div className={styles["person"]}>
          <b>{person.name}</b>
          <br />
          Role: {person.role}. <SignOut />
        </div>
      </aside>
    </div>
  );
}

export interface ShellPerson {
  readonly name: string;
  readonly role: string;
}
