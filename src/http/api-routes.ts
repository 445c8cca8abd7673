import { accessRoutes } from "./access.ts";
import { approvalRoutes } from "./approvals.ts";
import { artifactRoutes } from "./artifacts.ts";
import { auditRoutes } from "./audit.ts";
import { mcpRoutes } from "./mcp.ts";
import { openApiRoute } from "./openapi.ts";
import type { HttpParts } from "./parts.ts";
import type { Route } from "./route.ts";
import { sessionRoutes } from "./sessions.ts";
import { usageRoutes } from "./usage.ts";

/** What `apiRoutes` is. */
export type ApiRoutes = (parts: HttpParts, all: () => readonly Route[]) => readonly Route[];

/** The routes of those who run an assistant and look into it, besides those by which people talk to it. `all`: what the OpenAPI document tells of. */
export const apiRoutes: ApiRoutes = (parts, all) => [
  ...sessionRoutes(parts),
  ...artifactRoutes(parts),
  ...approvalRoutes(parts),
  ...accessRoutes(parts),
  ...auditRoutes(parts),
  ...(parts.usage ? usageRoutes(parts.usage) : []),
  ...mcpRoutes(parts),
  openApiRoute(parts, all),
];
