import { assistantObject, worker } from "../../../adapters/runtimes/cloudflare/index.ts";
import { scriptedModel } from "../../../src/testing/scripted-model.ts";
import { TOKEN, effectTool } from "../workflow-script.ts";

interface Env {
  readonly API_BASE: string;
}

/** An assistant whose workflows have effects on a server elsewhere. */
export class Assistant extends assistantObject(({ API_BASE }: Env) => ({
  model: scriptedModel(() => "said"),
  memory: { enabled: false },
  queue: { debounceMs: 0 },
  server: { token: TOKEN },
  tools: { effect: effectTool(`${API_BASE}/effect`) },
})) {}

export default worker({ binding: "ASSISTANT" });
