/** The readable content of a web page. */
export interface Page {
  /** Empty when the page has none. */
  readonly title: string;
  /** The main text, plain or in Markdown. */
  readonly text: string;
  /** Links in page order, absolute and without duplicates. */
  readonly links: readonly PageLink[];
}

/** A link of a page. */
export interface PageLink {
  /** The link's text on the page; may be empty. */
  readonly text: string;
  /** http or https, without the part after `#`. */
  readonly url: string;
}

/** Turns HTML into readable text. docs/web.md, "Reading pages", describes the shipped readers. */
export interface PageReader {
  /**
   * Reads a page: its text as Markdown, its title and its links.
   *
   * @param html A page or a part of one, possibly malformed; at most the bytes that `web_fetch` reads.
   * @param url Where it was fetched from: links are resolved against it.
   * Contract: fetches nothing and runs nothing of the page. Never throws for HTML that cannot be parsed; returns what
   * text there is.
   */
  read(html: string, url: string): Promise<Page>;
}
