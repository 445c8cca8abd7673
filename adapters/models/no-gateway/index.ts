// What the AI SDK imports from `@ai-sdk/gateway`, without the gateway. The SDK uses it for models that are named by a text alone, which Wakeful refuses, so a
// bundle may leave it out: wrangler's `alias` puts this module in its place and saves about 26 KB (gzip). Source: docs/deploy.md, "Smaller Workers".

/** Never thrown. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";

  static isInstance(error: unknown): error is GatewayError {
    return error instanceof GatewayError;
  }
}

/** Never thrown. */
export class GatewayAuthenticationError extends GatewayError {}

/** @throws {Error} Always: this bundle was made without the gateway. */
export function createGateway(): never {
  throw new Error(
    "Cannot use a model by its name as this bundle was made without @ai-sdk/gateway: give a model object",
  );
}

/** As `createGateway`. */
export const gateway: () => never = createGateway;
