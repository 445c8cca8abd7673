import { lstatSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

// Run as a process of its own: swaps <root>/d for a link to <outside> and back, as fast as it can, and tells how often it did.
const [root = "", outside = "", seconds = "0"] = process.argv.slice(2);
const folder = join(root, "d");
const hidden = join(root, "hidden");
const deadline = Date.now() + Number(seconds) * 1000;

let rounds = 0;
while (Date.now() < deadline) {
  renameSync(folder, hidden);
  if (linked()) rounds++;
  putBack();
}
process.stdout.write(String(rounds));

/** False when the assistant made a folder of that name in between. */
function linked(): boolean {
  try {
    symlinkSync(outside, folder);
    return true;
  } catch {
    return false;
  }
}

function putBack(): void {
  for (;;) {
    try {
      if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(folder);
      else rmSync(folder, { recursive: true, force: true });
      renameSync(hidden, folder);
      return;
    } catch {
      // The assistant was quicker: again.
    }
  }
}
