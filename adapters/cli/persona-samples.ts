import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** Content of new persona files: comments for people, nothing for the model. */
const SAMPLES: Readonly<Record<string, string>> = {
  "SOUL.md": `# Soul

<!-- Who the assistant is: character, values, what it never does. It is part of every prompt. Files with nothing but headings and comments cost nothing. -->
`,
  "IDENTITY.md": `# Identity

<!-- What it is called, and how it sounds. -->
`,
  "USER.md": `# User

<!-- Who you are, in your own words: work, family, habits. It is part of the prompts of your own direct chats only. -->
`,
  "AGENTS.md": `# House rules

<!-- How to work here: what to do first, what to ask about, what to leave alone. -->
`,
  "TOOLS.md": `# Tools

<!-- Notes on tools: names of machines, rooms and calendars, and how you use them. -->
`,
  "HEARTBEAT.md": `# Heartbeat

<!-- What to check every 30 minutes from 8 to 22, one task per line. Without any task, no model is called. -->
`,
};

/** Writes the missing sample files. @returns The folder. */
export function writePersonaSamples(dataFolder: string): string {
  const folder = join(dataFolder, "persona");
  // With the mode that the store uses.
  makeFolder(dataFolder, { named: "WAKEFUL_DATA", mode: 0o700 });
  makeFolder(folder, { named: "WAKEFUL_DATA" });
  for (const [name, text] of Object.entries(SAMPLES)) {
    try {
      writeFileSync(join(folder, name), text, { flag: "wx" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
  return folder;
}
