"use client";

import { AREAS } from "./all";
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
                  <div>{state.shows}</div>
                </figure>
              ))}
            </section>
          ))}
        </section>
      ))}
    </main>
  );
}
