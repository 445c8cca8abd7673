import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type Server, createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const network = new URL("../../adapters/platform/host/network.ts", import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), "wakeful-tls-"));
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const hasCertificate = makeCertificate();
let server: Server | undefined;

beforeAll(async () => {
  if (!hasCertificate) return;
  const made = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    response.end(`hello from ${request.headers.host?.split(":")[0]}`);
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  server = made;
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

describe.skipIf(!hasCertificate)("a connection to a checked address over TLS — needs openssl", () => {
  it("asks for the certificate of the name, not of the address", async () => {
    expect(await ask("page.test", { trusted: true })).toBe("hello from page.test");
  });

  it("refuses the certificate of another name", async () => {
    expect(await ask("other.test", { trusted: true })).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  });

  it("refuses a certificate that nobody signed", async () => {
    expect(await ask("page.test", { trusted: false })).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  });
});

/** In a process of its own, since who is trusted is settled when a process starts. */
async function ask(host: string, { trusted }: { readonly trusted: boolean }): Promise<string> {
  const { port } = (server as Server).address() as AddressInfo;
  const script = `
    import { fetchAt } from ${JSON.stringify(network)};
    fetchAt(new URL("https://${host}:${port}/"), { method: "GET", headers: new Headers() }, ["127.0.0.1"]).then((answer) => answer.text())
      .then((text) => console.log(text), (error) => console.log(error.code));`;
  const env = { ...process.env, ...(trusted && { NODE_EXTRA_CA_CERTS: cert }) };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  return stdout.trim();
}

/** For page.test, made for this run. False where there is no openssl. */
function makeCertificate(): boolean {
  const args =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=page.test -addext subjectAltName=DNS:page.test";
  try {
    execFileSync("openssl", [...args.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
