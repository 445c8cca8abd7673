import { BRAVE_URL, DUCKDUCKGO_URL, PERPLEXITY_URL } from "../../tools/index.ts";
import { flag, made, secret, section, webAddress } from "../../settings/index.ts";

const engineSwitch = flag({ what: "Whether it is asked; default: if it has a key", example: true });

export const search = section(
  {
    perplexity: section(
      {
        apiKey: secret({
          what: "The key, from https://www.perplexity.ai/settings/api",
          example: "PERPLEXITY_API_KEY",
        }),
        enabled: engineSwitch,
        baseUrl: webAddress({ what: "The API's address", default: PERPLEXITY_URL }),
      },
      { what: "Perplexity's Search API, asked first" },
    ),
    brave: section(
      {
        apiKey: secret({
          what: "The key, from https://api-dashboard.search.brave.com",
          example: "BRAVE_API_KEY",
        }),
        enabled: engineSwitch,
        baseUrl: webAddress({ what: "The API's address", default: BRAVE_URL }),
      },
      { what: "Brave's Web Search API, asked next" },
    ),
    duckduckgo: section(
      {
        enabled: flag({
          what: "Whether its HTML page is read; it has no API and may refuse",
          default: false,
        }),
        baseUrl: webAddress({ what: "The page's address", default: DUCKDUCKGO_URL }),
      },
      { what: "DuckDuckGo, asked last" },
    ),
    providers: made(
      "readonly SearchProvider[]",
      { SearchProvider: "tools/search/provider.ts" },
      { what: "Your own search engines, asked after the others", only: "sdk" },
    ),
  },
  {
    what: "Search engines for `web_search`; without one the tool does not exist",
    inCode: "They are asked in the order of these options.",
    type: "tools/options.ts#SearchOptions",
    fileType: "config/file-options.ts#SearchConfig",
  },
);
