import { describe, expect, it } from "vitest";
import type { LogRecord } from "../../kit.ts";
import type { Arrival } from "./bot-api.ts";
import type { KeptEntry, PersonMemory } from "./memory.ts";
import { type Evidence, verify } from "./verify.ts";

const arrival = (id: number, changes: Partial<Arrival> = {}): Arrival => ({
  atMs: id * 100,
  life: 0,
  chat: "1",
  key: `turn-${id}.0`,
  text: `answers u${id}`,
  ids: [id],
  ...changes,
});
const asked = (id: number): LogRecord => ({ type: "in", id: `telegram:default:${id}`, turn: `turn-${id}` });
const answered = (id: number, turn = `turn-${id}`): LogRecord => ({
  type: "out",
  turn,
  of: [`telegram:default:${id}`],
});
const done = (turn: string, changes: LogRecord = {}): LogRecord => ({
  type: "tool",
  turn,
  step: 0,
  index: 0,
  state: "done",
  ...changes,
});
const log = (...records: LogRecord[]) =>
  new Map([["sessions/main/1/log.jsonl", records.map((record, index) => ({ seq: index + 1, ...record }))]]);
const SUMMARY: LogRecord = { type: "compact", range: { from: 3, to: 4 } };
const charge = (id: number, callId = `turn-${id}.0.0`) => ({ tool: "charge", callId, ids: [id] }) as const;

/** Two messages, one kill between their answers, one tool call: all of it as promised. */
const sound: Evidence = {
  acknowledged: [1, 2].map((id) => ({ id, chat: "1", kind: "", atMs: id * 100 - 50, latencyMs: 5 })),
  arrivals: [arrival(1), arrival(2, { life: 1 })],
  killsAtMs: [120],
  effects: [charge(1)],
  sessions: log(asked(1), done("turn-1"), answered(1), asked(2), answered(2)),
};

const entry = (type: string, content: string, turn = "turn-1") => ({
  id: `${type} ${turn}`,
  type,
  content,
  turn,
  isArchived: false,
  mergedIds: [],
});
const memoryOf = (entries: readonly KeptEntry[], changes: Partial<PersonMemory> = {}): PersonMemory => ({
  userId: "telegram:1",
  entries,
  texts: [],
  recalled: [],
  ...changes,
});
const work = entry("auto_capture", "Goal: u1 please");
const stated = entry("statement", "I prefer seat 2.", "turn-2");
const asksIn = (id: number, chat: string): LogRecord => ({
  ...asked(id),
  text: `u${id} please`,
  peer: { kind: "direct", id: chat },
});
const answeredWith = (id: number, calls: number): LogRecord => ({
  ...answered(id),
  toolCalls: Array.from({ length: calls }, () => ({})),
});

/** The first message calls a tool, the second states something. */
const remembering: Evidence = {
  ...sound,
  acknowledged: sound.acknowledged.map((one) => (one.id === 2 ? { ...one, kind: "s" } : one)),
  sessions: log(asksIn(1, "1"), done("turn-1"), answeredWith(1, 1), asksIn(2, "1"), answeredWith(2, 0)),
  memory: { people: [memoryOf([work, stated])], damaged: [] },
};

describe("verify() of memory", () => {
  it("finds what is kept once, by whoever it is of", () => {
    expect(verify(remembering)).toMatchObject({ remembered: 1, forgotten: 0, memoryFaults: 0, violations: [] });
  });

  it("counts what tidying joined once, though one of the two is in the archive", () => {
    const archived = { ...work, id: "again", isArchived: true };
    const joined = { ...work, mergedIds: [work.id, "again"] };
    const judge = (entries: readonly KeptEntry[]) =>
      verify({ ...remembering, memory: { people: [memoryOf([...entries, stated])], damaged: [] } }).violations;
    expect(judge([joined, archived])).toEqual([]);
    expect(judge([work, archived])).toEqual(["the turn turn-1 is in memory 2 times as auto_capture"]);
  });

  const faults: readonly (readonly [what: string, people: readonly PersonMemory[], expected: string])[] = [
    ["is in no memory", [memoryOf([work])], "what chat 1 stated in update 2 is in memory 0 times"],
    [
      "is there twice",
      [memoryOf([work, stated, { ...stated, id: "again" }])],
      "what chat 1 stated in update 2 is in memory 2 times",
    ],
    [
      "is somebody else's too",
      [memoryOf([work, stated]), memoryOf([], { userId: "telegram:2", texts: ["They prefer seat 2"] })],
      "the memory of telegram:2 has what chat 1 said: They prefer seat 2",
    ],
    ["is a turn's that nobody kept", [memoryOf([stated])], "the turn turn-1 is in memory 0 times as auto_capture"],
    [
      "is a turn's that is kept twice",
      [memoryOf([work, { ...work, id: "again" }, stated])],
      "the turn turn-1 is in memory 2 times as auto_capture",
    ],
    [
      "is not found as by a new index",
      [memoryOf([work, stated], { recalled: [{ question: "seat", found: ["a"], rebuilt: ["a", "b"] }] })],
      "the index of telegram:1 finds a for seat, built anew a b",
    ],
  ];
  it.each(faults)("tells what %s", (_what, people, expected) => {
    const verdict = verify({ ...remembering, memory: { people, damaged: [] } });
    expect(verdict.violations).toEqual([expected]);
    expect(verdict.memoryFaults).toBe(1);
  });

  it("tells of a damaged file", () => {
    const memory = { people: remembering.memory!.people, damaged: ["memory/x.md, line 1: expected a text"] };
    expect(verify({ ...remembering, memory }).violations).toEqual([
      "a file of memory is damaged: memory/x.md, line 1: expected a text",
    ]);
  });
});

describe("verify()", () => {
  it("finds nothing in what is as promised, nor in a reply that a kill repeated", () => {
    expect(verify(sound)).toMatchObject({ acknowledged: 2, lost: 0, doubled: 0, resent: 0, violations: [] });
    const repeated = [arrival(1), arrival(1, { life: 1, atMs: 150 }), arrival(2, { life: 1 })];
    expect(verify({ ...sound, arrivals: repeated })).toMatchObject({ resent: 1, resentAfterMs: 20, violations: [] });
  });

  it("lets a mark take longer where an acknowledgement did, but not for ever", () => {
    const repeated = (latencyMs: number) =>
      verify({
        ...sound,
        acknowledged: sound.acknowledged.map((one) => ({ ...one, latencyMs })),
        arrivals: [arrival(1), arrival(1, { life: 1, atMs: 9100 }), arrival(2, { life: 1 })],
        killsAtMs: [9000],
      }).violations;
    expect(repeated(6000)).toEqual([]);
    expect(repeated(5800)).toHaveLength(1);
    const slow = { ...sound.acknowledged[0]!, latencyMs: 60_000 };
    const late = [arrival(1), arrival(1, { life: 1, atMs: 13_300 }), arrival(2, { life: 1 })];
    const longAfter = { ...sound, acknowledged: [slow, sound.acknowledged[1]!], arrivals: late, killsAtMs: [13_200] };
    expect(verify(longAfter).violations.join()).toMatch(/13100 ms before the kill/);
    expect(verify({ ...longAfter, marksFromMs: 101 }).violations).toEqual([]);
    expect(verify({ ...longAfter, marksFromMs: 100 }).violations).toHaveLength(1);
  });

  it("takes the line before a late reply for what it is", () => {
    const late = arrival(2, { life: 1, key: "turn-2.0.late", text: "(late: 2 minutes)", ids: [] });
    const arrivals = [arrival(1), late, arrival(2, { life: 1 })];
    expect(verify({ ...sound, arrivals })).toMatchObject({ acknowledged: 2, lost: 0, violations: [] });
  });

  it("finds nothing in commands, stopped messages and what is answered again", () => {
    const given = (id: number, kind: Evidence["acknowledged"][number]["kind"]) => ({
      ...sound.acknowledged[0]!,
      id,
      kind,
    });
    const said = (id: number, turn: string, changes: LogRecord = {}): LogRecord => ({
      type: "in",
      id: `telegram:default:${id}`,
      turn,
      text: `u${id} please`,
      ...changes,
    });
    const evidence: Evidence = {
      acknowledged: [given(1, "c"), given(2, "/retry"), given(3, ""), given(4, "/stop"), given(5, "/compact")],
      arrivals: [
        arrival(1),
        arrival(1, { key: "turn-2.0" }),
        arrival(4, { key: "answer:telegram:default:4.0", ids: [] }),
        arrival(5, { text: "3 turns are in a summary now", ids: [] }),
      ],
      killsAtMs: [],
      effects: [charge(1), charge(1, "turn-2.0.0")],
      sessions: log(
        said(1, "turn-1"),
        done("turn-1"),
        { ...answered(1), text: "answers u1" },
        said(2, "turn-2", { text: "u1c please", retries: "turn-1" }),
        done("turn-2"),
        { ...answered(2), text: "answers u1" },
        said(3, "turn-3"),
        { type: "stop" },
        { ...answered(3), text: "", parts: [], error: { code: "ABORTED" } },
        said(5, "turn-5", { text: "/compact", command: "compact" }),
        { ...answered(5), text: "3 turns are in a summary now" },
      ),
    };
    expect(verify(evidence)).toMatchObject({
      lost: 0,
      doubled: 0,
      stopped: 1,
      retried: 1,
      commands: 3,
      violations: [],
    });
    const without = (key: string) => evidence.arrivals.filter((one) => one.key !== key);
    const silent = verify({ ...evidence, arrivals: without("answer:telegram:default:4.0") });
    expect(silent.violations.join()).toMatch(/command \/stop .* never answered/);
    const afterStop = [...evidence.arrivals, arrival(3)];
    expect(verify({ ...evidence, arrivals: afterStop }).violations.join()).toMatch(
      /update 3 .* was stopped, and answer/,
    );
    const effects = [...evidence.effects, charge(1, "turn-9.0.0")];
    expect(verify({ ...evidence, effects }).violations.join()).toMatch(/charge had its effect twice for 1/);
  });

  it.each<{ title: string; planted: Partial<Evidence>; complaint: RegExp }>([
    { title: "a lost message", planted: { arrivals: [arrival(1)] }, complaint: /update 2 .* never answered/ },
    {
      title: "a message that two turns answered",
      planted: { arrivals: [...sound.arrivals, arrival(2, { life: 1, key: "turn-9.0" })] },
      complaint: /update 2 .* answered by the turns turn-2 and turn-9/,
    },
    {
      title: "a reply sent twice in one life",
      planted: { arrivals: [...sound.arrivals, arrival(2, { life: 1 })] },
      complaint: /turn-2.0 arrived twice without a kill/,
    },
    {
      title: "a reply sent again with another text",
      planted: { arrivals: [...sound.arrivals, arrival(1, { life: 1, text: "answers u1 otherwise" })] },
      complaint: /another text/,
    },
    {
      title: "a reply sent again long after it was marked",
      planted: { killsAtMs: [9000], arrivals: [...sound.arrivals, arrival(1, { life: 1 })] },
      complaint: /8900 ms before the kill/,
    },
    {
      title: "two replies sent again to one chat after one kill",
      planted: {
        arrivals: [...[1, 2].map((id) => arrival(id)), ...[1, 2].map((id) => arrival(id, { life: 1 }))],
      },
      complaint: /more than one reply was sent again to chat 1 after kill 1/,
    },
    {
      title: "answers out of order",
      planted: { arrivals: [arrival(2), arrival(1)] },
      complaint: /out of order: 1 after 2/,
    },
    {
      title: "a reply without its first part",
      planted: { arrivals: [arrival(1), arrival(2, { key: "turn-2.1" })] },
      complaint: /part 1 of the reply turn-2 arrived after 0 parts/,
    },
    {
      title: "an effect that came twice",
      planted: { effects: [charge(1), charge(1)] },
      complaint: /charge had its effect twice for 1/,
    },
    {
      title: "an effect that came again under another call",
      planted: { effects: [charge(1), charge(1, "turn-9.0.0")] },
      complaint: /charge had its effect twice for 1/,
    },
    {
      title: "an effect that the log knows nothing of",
      planted: { effects: [charge(2)] },
      complaint: /which the log shows as never run/,
    },
    {
      title: "a call that the log shows as done and that had no effect",
      planted: {
        effects: [],
        sessions: log(asked(1), done("turn-1", { name: "charge" }), answered(1), asked(2), answered(2)),
      },
      complaint: /turn-1.0.0 of charge as done, and it had no effect/,
    },
    {
      title: "a reply whose second part never arrived",
      planted: { sessions: log(done("turn-1"), answered(1), { ...answered(2), parts: ["a", "b"] }) },
      complaint: /of the 2 parts of the reply turn-2 never arrived: 1/,
    },
    {
      title: "a message that is twice in the log",
      planted: { sessions: log(asked(1), asked(1), done("turn-1"), answered(1), asked(2), answered(2)) },
      complaint: /telegram:default:1 is in the log twice/,
    },
    {
      title: "a turn with two replies",
      planted: { sessions: log(asked(1), done("turn-1"), answered(1), asked(2), answered(2), answered(2)) },
      complaint: /the turn turn-2 has two replies/,
    },
    {
      title: "a reply that is in no log",
      planted: { sessions: log(asked(1), done("turn-1"), answered(1), asked(2)) },
      complaint: /update 2 is answered by 0 replies in the log/,
    },
    {
      title: "a gap in a log",
      planted: {
        sessions: new Map([
          [
            "log",
            [
              { seq: 2, ...answered(1) },
              { seq: 2, ...done("turn-1") },
              { seq: 3, ...answered(2) },
            ],
          ],
        ]),
      },
      complaint: /record 1 has seq 2/,
    },
    {
      title: "a reply that does not name what joined its turn",
      planted: {
        sessions: log(
          { ...asked(1), text: "u1 please" },
          done("turn-1"),
          { ...asked(2), text: "u2 please" },
          { type: "out", turn: "turn-1", of: ["telegram:default:1", "telegram:default:2"], text: "answers u1" },
        ),
      },
      complaint: /turn-1 answers 1 2, and its reply names 1/,
    },
    {
      title: "a message that was ended without a stop",
      planted: { sessions: log(done("turn-1"), answered(1), { ...answered(2), error: { code: "ABORTED" } }) },
      complaint: /the turn turn-2 failed/,
    },
    {
      title: "a message of after a stop that was stopped with the others",
      planted: {
        sessions: log(asked(1), { type: "stop" }, asked(2), {
          ...answered(1),
          of: ["telegram:default:1", "telegram:default:2"],
          error: { code: "ABORTED" },
        }),
      },
      complaint: /default:2 came after the stop/,
    },
    {
      title: "an older summary that is not listed",
      planted: {
        sessions: log(asked(1), done("turn-1"), answered(1), SUMMARY, asked(2), answered(2), SUMMARY),
      },
      complaint: /the summary 4 is not in the list/,
    },
    {
      title: "a file whose content is in the log",
      planted: {
        sessions: log(done("turn-1"), answered(1), answered(2), {
          ...asked(3),
          text: "u3a please",
          attachments: [{ url: "data:text/plain,secret" }],
        }),
      },
      complaint: /the file of "telegram:default:3" is not kept/,
    },
    {
      title: "a turn that failed",
      planted: { sessions: log(done("turn-1"), answered(1), { ...answered(2), error: { code: "FAILED" } }) },
      complaint: /the turn turn-2 failed/,
    },
  ])("complains of $title", ({ planted, complaint }) => {
    expect(verify({ ...sound, ...planted }).violations.join("\n")).toMatch(complaint);
  });
});
