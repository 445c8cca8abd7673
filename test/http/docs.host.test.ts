import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PROBLEMS } from "../../src/http/problem.ts";
import { fakeAssistant, routesOf } from "./support.ts";

const text = await readFile(new URL("../../docs/http.md", import.meta.url), "utf8");

describe("docs/http.md", () => {
  it("lists every error code with its status", () => {
    const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (\d+) \|$/gm)].map(([, code, status]) => [code, Number(status)]);
    expect(rows).toEqual(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]));
  });

  it("lists every route that there is, with who may call it", () => {
    const rows = [...text.matchAll(/^\| (`(?:GET|POST|PUT|PATCH|DELETE) [^|]+) \| ([^|]+) \|/gm)];
    const listed = rows.flatMap(([, routes = "", who = ""]) =>
      [...routes.matchAll(/`(\w+ [^`]+)`/g)].map(([, route]) => `${route}: ${who}`),
    );
    const pages = ["GET /: anybody", "POST /: anybody", "POST /login: anybody", "POST /logout: anybody"];
    const webhooks = (route: string) => route.includes("/webhooks/");
    const routes = routesOf(fakeAssistant().parts).map(
      ({ method, path, access }) => `${method} ${path}: ${access === "public" ? "anybody" : access.join(", ")}`,
    );
    expect(listed.filter((route) => !webhooks(route)).toSorted()).toEqual(
      [...pages, ...routes.filter((route) => !webhooks(route))].toSorted(),
    );
    expect(listed.filter(webhooks).length).toBe(2);
  });
});
