import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};

it("a program that embeds the assistant is bundled without the packages that it has not installed", async () => {
  const absent = Object.keys(peerDependencies).filter((name) => name !== "ai" && name !== "valibot");
  const looked: string[] = [];
  const { outputFiles } = await build({
    stdin: {
      contents:
        'export { createAssistant } from "./entry.host.ts"; export { fsStore } from "./adapters/storage/fs/index.ts";',
      resolveDir: root,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
    logLevel: "silent",
    plugins: [
      {
        name: "absent",
        setup({ onLoad }) {
          onLoad({ filter: /[/\\]adapters[/\\].*\.ts$/ }, ({ path }) => {
            const text = readFileSync(path, "utf8");
            const contents = text.replaceAll(
              /(import\(| from )"([^."][^"]*)"/g,
              (whole, before: string, name: string) => {
                if (!absent.some((one) => name === one || name.startsWith(`${one}/`))) return whole;
                looked.push(name);
                return `${before}"not-installed-${name.replace("@", "")}"`;
              },
            );
            return { contents, loader: "ts" };
          });
        },
      },
    ],
  });
  expect(outputFiles).toHaveLength(1);
  expect(looked).toEqual(expect.arrayContaining(["just-bash", "@ai-sdk/mcp", "@opentelemetry/api"]));
});
