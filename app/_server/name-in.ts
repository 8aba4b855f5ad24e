/** A name in a path comes as it was written there. @returns undefined for one that cannot be read */
export function nameIn(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
