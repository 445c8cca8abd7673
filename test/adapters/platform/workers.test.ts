import { describe, expect, it } from "vitest";
import { workersPlatform } from "../../../adapters/platform/workers/index.ts";
import { platformContract } from "../../../src/testing/index.ts";

platformContract({ describe, it, expect }, { name: "workers", platform: workersPlatform });
