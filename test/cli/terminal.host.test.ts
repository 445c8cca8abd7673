import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { isTaken } from "../../adapters/cli/terminal.ts";

/** A reader that takes so many pieces, one after the other, and then fails. */
function reader(pieces: number, code: string) {
  const taken: string[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Uint8Array, _encoding, done) {
      if (taken.length >= pieces) return done(Object.assign(new Error(`write ${code}`), { code }));
      taken.push(new TextDecoder().decode(chunk));
      done();
    },
  });
  stream.on("error", () => {});
  return { stream, taken };
}

describe("isTaken()", () => {
  it("waits for whoever reads, and says once they have left", async () => {
    const { stream, taken } = reader(2, "EPIPE");
    const said: boolean[] = [];
    for (const piece of ["one", "two", "three", "four"]) said.push(await isTaken(stream, piece));
    expect(said).toEqual([true, true, false, false]);
    expect(taken).toEqual(["one", "two"]);
  });

  it("fails with what else keeps a piece from being written", async () => {
    await expect(isTaken(reader(0, "ENOSPC").stream, "one")).rejects.toThrow("write ENOSPC");
  });
});
