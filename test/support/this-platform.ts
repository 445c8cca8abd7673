/** What this runtime lends. In workerd `this-platform.workerd.ts` stands here (vitest.config.ts). */
export { hostPlatform as platform } from "../../adapters/platform/host/index.ts";
