export { workersPlatform as platform } from "../../adapters/platform/workers/index.ts";
