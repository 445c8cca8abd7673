import { ToolError, defineTool } from "../../mod.ts";
import * as v from "valibot";

const stock = new Map([
  ["apples", 12],
  ["pears", 0],
]);

export const stockTool = defineTool({
  description: "Tells how many of an article are in stock. Use it before you promise a delivery.",
  inputSchema: v.strictObject({
    article: v.pipe(v.string(), v.description("The article's name in the plural, as apples")),
  }),
  execute({ article }) {
    const left = stock.get(article);
    if (left === undefined) {
      const known = [...stock.keys()].join(", ");
      throw new ToolError("NOT_FOUND", `There is no article ${JSON.stringify(article)}: choose one of ${known}`);
    }
    return { article, left };
  },
  meta: { category: "shop", idempotent: true },
});
