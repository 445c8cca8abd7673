import { describe, expect, it } from "vitest";
import { decideContextAccess } from "../../mod.ts";
import { type ContextAction, type ContextScopeName, CONTEXT_ACTIONS, CONTEXT_SCOPES } from "../../src/policy/index.ts";

type Ids = "own" | "other" | "absent";
const IDS: readonly Ids[] = ["own", "other", "absent"];
const DENIED = { ok: false, error: "permission denied" };
const OK = { ok: true };
const SESSIONS = {
  "owner, direct": { kind: "direct", owner: true, peerId: "42" },
  "owner, group": { kind: "group", owner: true, groupId: "-100" },
  "other, direct": { kind: "direct", owner: false, peerId: "42" },
  "other, group": { kind: "group", owner: false, groupId: "-100" },
} as const;
type Who = keyof typeof SESSIONS;

const GROUP_READS = ["read_group", "read_group_memory", "read_group_role"];

/** The table as it is promised, row by row. `isSessions`: the id that counts is the session's own. */
function promised(who: Who, action: ContextAction, scope: ContextScopeName, isSessions: boolean) {
  switch (who) {
    case "owner, direct":
      return OK;
    case "owner, group": {
      const may = [...GROUP_READS, "append_memory", "update_group", "update_group_role"];
      return scope === "group" && isSessions && may.includes(action) ? OK : DENIED;
    }
    case "other, direct": {
      const may = ["read_peer", "read_peer_memory", "append_memory"];
      return scope === "peer" && isSessions && may.includes(action) ? OK : DENIED;
    }
    case "other, group":
      return scope === "group" && isSessions && [...GROUP_READS, "append_memory"].includes(action) ? OK : DENIED;
  }
}

function expected(who: Who, action: ContextAction, scope: ContextScopeName, peer: Ids, group: Ids) {
  const isDirect = who.endsWith("direct");
  // Only a direct chat has a peer to fall back on, and only a group has a group.
  if (scope === "peer" && peer === "absent" && !isDirect)
    return { ok: false, error: "peer_id required for scope=peer" };
  if (scope === "group" && group === "absent" && isDirect)
    return { ok: false, error: "group_id required for scope=group" };
  const isSessions =
    scope === "peer" ? isDirect && peer !== "other" : scope === "group" ? !isDirect && group !== "other" : false;
  return promised(who, action, scope, isSessions);
}

const rows = (Object.keys(SESSIONS) as Who[]).flatMap((who) =>
  CONTEXT_ACTIONS.flatMap((action) => CONTEXT_SCOPES.map((scope) => ({ who, action, scope }))),
);

describe("decideContextAccess()", () => {
  it("knows twelve actions and three scopes", () => {
    expect(CONTEXT_ACTIONS).toHaveLength(12);
    expect(rows).toHaveLength(4 * 12 * 3);
  });

  it.each(rows)("keeps the table: $who, $action, scope $scope", ({ who, action, scope }) => {
    for (const peer of IDS)
      for (const group of IDS) {
        const ids = {
          ...(peer !== "absent" && { peerId: peer === "own" ? "42" : "7" }),
          ...(group !== "absent" && { groupId: group === "own" ? "-100" : "-7" }),
        };
        const decision = decideContextAccess({ session: SESSIONS[who], action, scope, aid: "main", ...ids });
        expect({ peer, group, ...decision }).toEqual({ peer, group, ...expected(who, action, scope, peer, group) });
      }
  });

  const ask = (change: object) =>
    decideContextAccess({
      session: SESSIONS["owner, direct"],
      action: "read_peer",
      scope: "peer",
      aid: "main",
      ...change,
    });

  it.each([
    [{ aid: "", scope: "group", session: SESSIONS["other, direct"] }, "aid is required"],
    [{ aid: " " }, "aid is required"],
    [{ aid: undefined }, "aid is required"],
    [{ scope: "group", session: SESSIONS["other, direct"] }, "group_id required for scope=group"],
    [{ session: SESSIONS["other, group"] }, "peer_id required for scope=peer"],
    [{ session: { kind: "direct", owner: true }, peerId: " " }, "peer_id required for scope=peer"],
    [{ session: { ...SESSIONS["owner, direct"], aid: "other" } }, "permission denied"],
    [{ action: "delete_peer" }, "permission denied"],
    [{ scope: "everybody" }, "permission denied"],
    [{ session: { kind: "channel", owner: true, groupId: "-100" }, scope: "peer", peerId: "42" }, "permission denied"],
    [
      { session: { kind: "group", owner: false }, action: "read_group", scope: "group", groupId: "" },
      "group_id required for scope=group",
    ],
  ])("refuses in the order of its checks: %o", (change, error) => {
    expect(ask(change)).toEqual({ ok: false, error });
  });

  const JUNK = ["true", "owner", 1, 1n, {}, [], [true], { owner: true }, new Boolean(true), () => true, Symbol("x")];
  it.each(JUNK.map((owner) => ({ owner })))("takes $owner for no owner: only true is one", ({ owner }) => {
    const isOwn = { action: "read_peer_memory", scope: "peer" };
    expect(ask({ ...isOwn, session: { ...SESSIONS["owner, direct"], owner } })).toEqual(OK);
    for (const action of ["update_peer", "update_identity", "promote_memory"])
      expect(ask({ action, session: { ...SESSIONS["owner, direct"], owner } })).toEqual(DENIED);
    expect(ask({ ...isOwn, peerId: "7", session: { ...SESSIONS["owner, direct"], owner } })).toEqual(DENIED);
    const group = { action: "update_group", scope: "group", session: { ...SESSIONS["owner, group"], owner } };
    expect(ask(group)).toEqual(DENIED);
  });

  it("takes a broadcast channel for a group, and its own identity for the right one", () => {
    const session = { kind: "channel", owner: false, groupId: "-100", aid: "main" };
    expect(ask({ session, action: "read_group", scope: "group" })).toEqual(OK);
  });
});
