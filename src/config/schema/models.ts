import { amount, choice, list, names, section, text, whole, withFacts } from "../../settings/index.ts";

/** Of one model, in code and in the file. */
export const modelKeys = {
  contextWindow: whole(1024, {
    what: "Tokens that this model takes in all",
    inCode: "Default: `context.contextWindow`.",
    example: 32_768,
  }),
  price: section(
    {
      input: amount({ what: "A million tokens of the prompt", required: true, example: 1.25 }),
      output: amount({ what: "A million tokens of the answer", required: true, example: 10 }),
      cachedInput: amount({
        what: "A million tokens that the provider had in its cache; when left out, as input",
        example: 0.125,
      }),
    },
    {
      what: "What it costs, in the currency of the budget; 0 for a model that costs nothing",
      type: "usage/options.ts#ModelPrice",
    },
  ),
  files: list(text({ what: "A type", example: "image/*" }), {
    what: "Types of files that it is shown (images, application/pdf); what its provider says when left out",
  }),
};

/** For models without function calling. */
export const toolProtocol = {
  protocol: choice(["native", "text"], {
    what: "How models call tools: by the provider's function calling, or in their text, for models without it",
    inCode: 'Source: docs/models.md, "Models that cannot call tools".',
    default: "native",
    type: "agent/options.ts#ToolProtocol",
  }),
};

/** What code says of models that it makes itself. */
export const modelInfo = names(
  "model",
  section(
    { ...modelKeys, ...toolProtocol },
    { what: "What is known of one model", type: "agent/options.ts#ModelFacts" },
  ),
  {
    what: "What is known of models, by `provider/modelId`",
    inCode:
      "The name is as the AI SDK's object says it (`openai.responses/gpt-5`), the same without what follows the provider's first dot (`openai/gpt-5`), or the model's id alone. The first of these that is there counts.",
    type: "agent/options.ts#ModelInfo",
  },
);

const budgetKeys = {
  tokens: whole(1, { what: "Tokens of prompts and answers", example: 1_000_000 }),
  cost: amount({ what: "Money, in the currency of the prices; needs a price of every model", example: 5 }),
};

const limit = section(budgetKeys, { what: "What may be used in one period", type: "usage/options.ts#BudgetLimit" });

export const budget = section(
  {
    daily: withFacts(limit, { what: "A day, in the assistant's time zone" }),
    monthly: withFacts(limit, { what: "A month" }),
  },
  {
    what: "How much models may be used; over it no model is asked until the day or the month is over",
    inCode: 'Source: docs/models-failures.md, "Budgets".',
    type: "usage/options.ts#Budget",
  },
);
