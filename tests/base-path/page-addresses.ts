/** Every address that a page of HTML gives to the browser, but for its own anchors and pictures inside it. */
export function addressesIn(html: string): readonly string[] {
  const attributes = [...html.matchAll(/\s(?:href|src|action|formaction|poster|srcset|imagesrcset)="([^"]*)"/gi)];
  const refreshed = [...html.matchAll(/http-equiv="refresh" content="[^"]*url=([^"]*)"/gi)];
  return [...attributes, ...refreshed]
    .map(([, address = ""]) => address.replaceAll("&amp;", "&"))
    .filter((address) => !/^(?:#|\?|data:|$)/.test(address));
}

/** What a style sheet loads. @param sheet address of the style sheet */
export function addressesInStyle(text: string, sheet: string): readonly string[] {
  return [...text.matchAll(/url\(["']?([^"')]+)["']?\)/g)]
    .map(([, address = ""]) => address)
    .filter((address) => !address.startsWith("data:"))
    .map((address) => new URL(address, sheet).href);
}
