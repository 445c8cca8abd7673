/** What a person would read of a web page. */
export interface Page {
  /** Empty when the page has none. */
  readonly title: string;
  /** The main text, in plain words or Markdown. */
  readonly text: string;
  /** Where the page leads, in its order, absolute and each once. */
  readonly links: readonly PageLink[];
}

/** A link of a page. */
export interface PageLink {
  /** What the page shows for it; may be empty. */
  readonly text: string;
  /** http or https, without the part after `#`. */
  readonly url: string;
}

/** Makes readable text of HTML. The shipped ones are described in docs/web.md, "Reading pages". */
export interface PageReader {
  /**
   * Reads a page: its text as Markdown, its title and its links.
   *
   * @param html A page or a part of one, as broken as pages are; at most the bytes that `web_fetch` reads.
   * @param url Where it was fetched from: links are resolved against it.
   * Contract: fetches nothing and runs nothing of the page; HTML that cannot be parsed gives what text there is and never throws for it.
   */
  read(html: string, url: string): Promise<Page>;
}
