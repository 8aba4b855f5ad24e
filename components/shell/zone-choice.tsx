"use client";

import { useState } from "react";
import { usePersonZone } from "@/components/ui/values/use-zone";
import { readZone } from "@/domain/time-zone";
import styles from "./top-bar.module.css";

/** Said where a choice went back. */
export const ZONE_NOT_KEPT = "Times are as before: nothing said that the zone was saved. Try again.";

/** UTC, local time or a named zone, for every time that the person reads. */
export function ZoneChoice() {
  const { choice, choose } = usePersonZone();
  const [refused, setRefused] = useState(false);
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const named = Intl.supportedValuesOf("timeZone").filter((name) => name.includes("/"));
  return (
    <label className={styles["zone"]}>
      Zone
      <select
        value={choice}
        onChange={({ currentTarget }) => {
          setRefused(false);
          void choose(readZone(currentTarget.value)).then((kept) => {
            setRefused(!kept);
          });
        }}
      >
        <option value="utc">UTC</option>
        <option value="local">Local time, {local}</option>
        {/* An older name that was kept is not in the list. */}
        {[...new Set(choice === "utc" || choice === "local" ? named : [choice, ...named])].map((name) => (
          <option key={name} value={name}>
            {name.replaceAll("_", " ")}
          </option>
        ))}
      </select>
      {refused && <span role="alert">{ZONE_NOT_KEPT}</span>}
    </label>
  );
}
