import { describe, expect, it } from "vitest";
import { mayAskAgain } from "../../../src/tools/mcp/may-ask-again.ts";

describe("mayAskAgain()", () => {
  const question = { server: "docs", tool: "search", fingerprint: "f1" };
  const request = (verdict?: "done" | "failed" | "denied" | "expired" | "interrupted", change: object = {}) => ({
    tool: "mcp_accept",
    input: { ...question, description: "x", changes: [], ...change },
    ...(verdict && { outcome: { verdict, at: 1 } }),
  });

  it.each([
    { title: "that was never made", requests: [], again: true },
    { title: "that ran out of time", requests: [request("expired")], again: true },
    { title: "that a stop of the program ended", requests: [request("expired"), request("interrupted")], again: true },
    { title: "that is open", requests: [request("expired"), request()], again: false },
    { title: "that the owner denied", requests: [request("denied"), request("expired")], again: false },
    {
      title: "of which only another form was denied",
      requests: [request("denied", { fingerprint: "f2" })],
      again: true,
    },
    { title: "of which only another server's was denied", requests: [request("denied", { server: "x" })], again: true },
    { title: "beside a call of another tool", requests: [{ ...request("denied"), tool: "bash" }], again: true },
  ])("says $again for a question $title", ({ requests, again }) => {
    expect(mayAskAgain(requests, question)).toBe(again);
  });
});
