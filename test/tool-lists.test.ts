import { describe, expect, it } from "vitest";
import { sharedTools } from "../src/tool-lists.ts";

describe("sharedTools()", () => {
  it.each([
    { title: "leaves all where nothing is chosen", own: undefined, wanted: undefined, shared: undefined },
    { title: "takes what is wanted of all", own: undefined, wanted: ["time"], shared: ["time"] },
    { title: "keeps the own where nothing is wanted", own: ["time"], wanted: undefined, shared: ["time"] },
    { title: "drops what is not among the own", own: ["time"], wanted: ["time", "bash"], shared: ["time"] },
    {
      title: "keeps a name that an own pattern means",
      own: ["mcp__git*"],
      wanted: ["mcp__git_log"],
      shared: ["mcp__git_log"],
    },
    {
      title: "narrows a pattern to the own names that it means",
      own: ["file_read", "bash"],
      wanted: ["file_*"],
      shared: ["file_read"],
    },
    { title: "narrows a wide pattern to a narrower one", own: ["file_*"], wanted: ["*"], shared: ["file_*"] },
    { title: "drops a pattern that means none of the own", own: ["time"], wanted: ["file_*"], shared: [] },
  ])("$title", ({ own, wanted, shared }) => expect(sharedTools(own, wanted)).toEqual(shared));
});
