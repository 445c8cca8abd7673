import { amount, choice, list, names, section, text, whole, withFacts } from "../../settings/index.ts";

/** Keys of one model, in code and in the file. */
export const modelKeys = {
  contextWindow: whole(1024, {
    what: "Tokens of prompt and answer together that this model accepts",
    inCode: "Default: `context.contextWindow`.",
    example: 32_768,
  }),
  price: section(
    {
      input: amount({ what: "Price of a million tokens of the prompt", required: true, example: 1.25 }),
      output: amount({ what: "Price of a million tokens of the answer", required: true, example: 10 }),
      cachedInput: amount({
        what: "Price of a million tokens that the provider had in its cache; default: as input",
        example: 0.125,
      }),
    },
    {
      what: "Prices, in the currency of the budget; 0 for a model that costs nothing",
      type: "usage/options.ts#ModelPrice",
    },
  ),
  files: list(text({ what: "A media type", example: "image/*" }), {
    what: "Types of files that the model is shown (images, application/pdf); default: what its provider says",
  }),
};

/** For models without function calling. */
export const toolProtocol = {
  protocol: choice(["native", "text"], {
    what: "How models call tools: with the provider's function calling, or in their text, for models without it",
    inCode: 'Source: docs/models.md, "Models that cannot call tools".',
    default: "native",
    type: "agent/options.ts#ToolProtocol",
  }),
};

/** Facts about models that are AI SDK objects in code. */
export const modelInfo = names(
  "model",
  section({ ...modelKeys, ...toolProtocol }, { what: "Facts about one model", type: "agent/options.ts#ModelFacts" }),
  {
    what: "Facts about models, by `provider/modelId`",
    inCode:
      "The name is that of the AI SDK's object (`openai.responses/gpt-5`), the same without the part after the provider's first dot (`openai/gpt-5`), or the model's id alone. The first of these that exists counts.",
    type: "agent/options.ts#ModelInfo",
  },
);

const budgetKeys = {
  tokens: whole(1, { what: "Tokens of prompts and answers", example: 1_000_000 }),
  cost: amount({ what: "Cost, in the currency of the prices; needs a price for every model", example: 5 }),
};

const limit = section(budgetKeys, { what: "Limits for one period", type: "usage/options.ts#BudgetLimit" });

export const budget = section(
  {
    daily: withFacts(limit, { what: "Limits per day, in the assistant's time zone" }),
    monthly: withFacts(limit, { what: "Limits per month" }),
  },
  {
    what: "Limits on the use of models; above them no model is called until the day or the month ends",
    inCode: 'Source: docs/models-failures.md, "Budgets".',
    type: "usage/options.ts#Budget",
  },
);
