import type { ReactNode } from "react";

/** A component with the states in which it decides something: the gallery shows them, parts.test.tsx holds them to what they say. */
export interface Part {
  readonly name: string;
  readonly states: readonly PartState[];
}

export interface PartState {
  readonly name: string;
  readonly shows: ReactNode;
  /** Where the address decides: what it says then, "dialog=start". */
  readonly search?: string;
  /** Texts that a reader finds in it: words, accessible names and titles. */
  readonly says?: readonly string[];
  /** Texts that are not in it. */
  readonly lacks?: readonly string[];
  /** Controls that are off, by their words; every other control is on. */
  readonly off?: readonly string[];
  /** Selectors of elements that are in it. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

/** The database's time on every sample. */
export const SAMPLE_NOW = "2026-11-22T14:30:00.000000Z";
export const SAMPLE_ID = "018f9b7e-1c2d-7e3f-8a9b-0c1d2e3f4a5b";
