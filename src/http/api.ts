import { accessRoutes } from "./access.ts";
import { approvalRoutes } from "./approvals.ts";
import { artifactRoutes } from "./artifacts.ts";
import { auditRoutes } from "./audit.ts";
import { chatRoutes, streamReply } from "./chat.ts";
import { mcpRoutes } from "./mcp.ts";
import { notificationRoutes } from "./notifications.ts";
import { openApiRoute } from "./openapi.ts";
import { pageRoutes } from "./page-routes.ts";
import type { HttpParts } from "./parts.ts";
import type { Route } from "./route.ts";
import { sessionRoutes } from "./sessions.ts";
import { usageRoutes } from "./usage.ts";

/** What the HTTP door has besides messages that wait for their reply, webhooks and what a platform probes. */
export interface HttpApi {
  /** `all`: what the OpenAPI document tells of. */
  routes(parts: HttpParts, all: () => readonly Route[]): readonly Route[];
  readonly page: typeof pageRoutes;
  readonly streamReply: typeof streamReply;
}

export const httpApi: HttpApi = {
  routes: (parts, all) => [
    ...chatRoutes(parts),
    ...sessionRoutes(parts),
    ...artifactRoutes(parts),
    ...approvalRoutes(parts),
    ...accessRoutes(parts),
    ...auditRoutes(parts),
    ...(parts.notifications ? notificationRoutes(parts.notifications) : []),
    ...(parts.usage ? usageRoutes(parts.usage) : []),
    ...mcpRoutes(parts),
    openApiRoute(parts, all),
  ],
  page: pageRoutes,
  streamReply,
};
