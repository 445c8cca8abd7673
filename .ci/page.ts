// Builds the script of the web page: src/http/page/client.ts → src/http/page/client-script.ts, a text that the server sends.
// The built text is committed, because src runs unbuilt on every runtime. Run `node .ci/page.ts` after a change of client.ts or of what stands in client/.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = new URL("../src/http/page/", import.meta.url);

/** The script that client.ts builds to. */
export async function buildClientScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("client.ts", folder))],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
  });
  const script = outputFiles[0]?.text.trim() ?? "";
  // Inside a <script> element these would end it or change how it is read.
  const dangerous = /<\/script|<!--|<script/i.exec(script);
  if (dangerous)
    throw new Error(`The built script holds ${dangerous[0]}, which must not stand in a page: write it in two parts`);
  return script;
}

/** The module that carries the script, in the form that the formatter gives it. */
function moduleText(script: string): string {
  const literal = `'${JSON.stringify(script).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  return `// Built from client.ts by \`node .ci/page.ts\`; change that file and build again.
/** The script of the page. */
export const CLIENT_SCRIPT: string =
  ${literal};
`;
}

if (import.meta.main) await writeFile(new URL("client-script.ts", folder), moduleText(await buildClientScript()));
