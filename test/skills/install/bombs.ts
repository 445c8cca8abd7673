import { Deflate, deflateSync } from "fflate";
import { crc32Of } from "../../../src/skills/install/zip.ts";
import type { Hostile } from "./hostile.ts";
import { greet } from "./support.ts";
import { type RawEntry, joined, noise } from "./zip-builder.ts";

const MEBIBYTE = 1024 * 1024;

/** 53 MiB that pack to one, no ratio gives it away: the same piece again and again, packed once. */
const largeEntry = (): RawEntry => {
  const piece: Uint8Array[] = [];
  const packer = new Deflate({ level: 1 }, (bytes) => void piece.push(bytes));
  const data = new Uint8Array(MEBIBYTE);
  data.set(noise(20_000));
  packer.push(data);
  packer.flush();
  const endOfData = Uint8Array.of(0x03, 0x00);
  const packedData = joined(...Array.from({ length: 53 }, () => piece).flat(), endOfData);
  return { name: "large", packedData, size: 53 * MEBIBYTE };
};
/** Many of them, packed once. */
const smallBombs = (): readonly RawEntry[] => {
  const data = zeros(60_000);
  const [packedData, crc] = [deflateSync(data), crc32Of(data)];
  return Array.from({ length: 400 }, (_, at) => ({ name: `z${at}`, data, packedData, crc }));
};
const zeros = (length: number) => new Uint8Array(length);

/** Archives of which the most comes out. */
export const BOMBS: readonly Hostile[] = [
  {
    what: "a bomb beside much that is none",
    archive: () =>
      greet([
        { name: "noise", data: noise(100_000) },
        { name: "zeros", data: zeros(5_000_000) },
      ]),
    reason: /100 times/,
  },
  { what: "a bomb of many small files", archive: () => greet(smallBombs()), reason: /100 times/ },
  { what: "a bomb by its size", archive: () => greet([largeEntry()]), reason: /more than 52428800 bytes/ },
];
