/** Answers in the shapes that the engines' documentation shows, with words of our own. */

/** https://docs.perplexity.ai/api-reference/search-post */
export const PERPLEXITY_ANSWER = {
  id: "e38104d5-6bd7-4d82-bc4e-0a21179d1f77",
  results: [
    {
      title: "Moving the harbour bridge",
      url: "https://town.example/bridge",
      snippet: "How 412 tonnes were moved.\n\nIn one night.",
      date: "2026-03-03",
      last_updated: "2026-03-05",
    },
    { title: "", url: "https://quay.example/story/1", snippet: null, date: null, last_updated: null },
    { title: "no address", snippet: "left out" },
    { title: "no web", url: "ftp://town.example/", snippet: "left out" },
  ],
};

/** https://api-dashboard.search.brave.com/app/documentation/web-search/responses */
export const BRAVE_ANSWER = {
  type: "search",
  query: { original: "harbour bridge", more_results_available: true },
  mixed: { type: "mixed", main: [{ type: "web", index: 0, all: false }] },
  web: {
    type: "search",
    family_friendly: true,
    results: [
      {
        type: "search_result",
        subtype: "generic",
        title: "The <strong>harbour bridge</strong> &amp; its move",
        url: "https://town.example/bridge",
        description: "The <strong>bridge</strong> weighs 412&nbsp;t.",
        language: "en",
        page_age: "2026-03-03T00:00:00",
        profile: {
          name: "Town",
          url: "https://town.example/",
          long_name: "town.example",
          img: "https://imgs.example/i",
        },
        meta_url: { scheme: "https", netloc: "town.example", hostname: "town.example", favicon: "", path: "› bridge" },
      },
      { type: "search_result", title: "Bridges", url: "https://encyclopedia.example/bridges?page=1" },
    ],
  },
};

/** The page for browsers without scripts, as it is built in 2026: an advertisement, two results. */
export const DUCKDUCKGO_PAGE = `<!DOCTYPE html><html><head><title>harbour bridge at DuckDuckGo</title></head><body><div id="links" class="results">
<div class="result results_links results_links_deep result--ad"><div class="links_main">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;u3=https%3A%2F%2Fshop.example">Buy bridges</a></h2>
<a class="result__snippet" href="https://duckduckgo.com/y.js?x">Cheap bridges here.</a></div></div>
<div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftown.example%2Fbridge%3Fa%3D1%26b%3D2&amp;rut=0f">Moving the <b>harbour bridge</b></a></h2>
<div class="result__extras"><a class="result__url" href="//duckduckgo.com/l/?uddg=x">town.example/bridge</a></div>
<a class="result__snippet" href="//duckduckgo.com/l/?uddg=x">How 412 tonnes of
 <b>bridge</b> were moved.</a><div class="clear"></div></div></div>
<div class="result web-result"><h2 class="result__title"><a class="result__a" href="https://encyclopedia.example/bridges">Bridges &ndash; Encyclopedia</a></h2></div>
</div></body></html>`;

export const DUCKDUCKGO_NOTHING = `<html><body><div class="no-results">No results found for <b>x</b>.</div></body></html>`;

export const DUCKDUCKGO_CHALLENGE = `<html><body><form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>`;
