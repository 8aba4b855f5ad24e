"use client";

import { usePlace } from "@/components/ui/place";
import { AREAS } from "./all";
import type { PartState } from "./part";
import styles from "./gallery.module.css";

/** Each part in its states, for whoever works on it. Only the development server has this page. */
export function Gallery() {
  return (
    <main className={styles["gallery"]}>
      <h1>Parts</h1>
      <nav aria-label="Areas">
        {AREAS.map(({ name }) => (
          <a key={name} href={`#${name}`}>
            {name}
          </a>
        ))}
      </nav>
      {AREAS.map(({ name, parts }) => (
        <section key={name} id={name} aria-label={name}>
          {parts.map((part) => (
            <section key={part.name} aria-label={part.name}>
              <h2>
                <small>{name}</small> {part.name}
              </h2>
              {part.states.map((state) => (
                <figure key={state.name}>
                  <figcaption>{state.name}</figcaption>
                  <div>
                    <Shown id={`${part.name}: ${state.name}`} state={state} />
                  </div>
                </figure>
              ))}
            </section>
          ))}
        </section>
      ))}
    </main>
  );
}

/** What opens by the address is opened by a link, one at a time. */
function Shown({ id, state: { search, shows } }: { readonly id: string; readonly state: PartState }) {
  const { isAt } = usePlace();
  if (search === undefined || isAt({ state: id })) return shows;
  return <a href={`?${new URLSearchParams([["state", id], ...new URLSearchParams(search)]).toString()}`}>Open it</a>;
}
