import { type Intent, offlineModel } from "../../adapters/models/offline/index.ts";

const dice: Intent = {
  name: "dice",
  tools: ["roll_dice"],
  help: { en: ["roll dice", "roll 2 dice"], zh: ["掷骰子", "掷2个骰子"] },
  phrasings: {
    en: ["roll (a die|dice)", "roll {count:word} dice"],
    zh: ["掷骰子", "掷{count:word}个骰子"],
  },
  call: ({ groups }) => ({ calls: [{ toolName: "roll_dice", input: { count: Number(groups["count"] ?? 1) } }] }),
  phrase: (results, { language }) => ({
    say: `${language === "zh" ? "结果" : "Rolled"}: ${JSON.stringify(results.at(-1)?.output)}`,
  }),
};

export const model = offlineModel({ intents: [dice] });
