import { describe, expect, it } from "vitest";
import { AssistantError } from "../../src/errors.ts";
import {
  type PersonGoals,
  NO_GOALS,
  changeGoal,
  createGoalFiles,
  createGoalRenaming,
  progressOf,
} from "../../src/goals/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { platform } from "../support/this-platform.ts";

const ADA = "telegram:42";
const KEY = "goals/telegram:42.yaml";
const BY_HAND = `# Mine
persona: A patient coach # be kind
core_drives:
  - { name: learning, intensity: 4, keywords: [read, study] }
goals:
  # The big one
  - objective: Write the thesis
    current_focus: "chapter 3"   # until June
    review_cadence: weekly
    key_results:
      - metric: chapters # of eight
        target: 8
        current: 2
  - objective: Run a marathon
    key_results:
`;

function setUp({ store = memoryStore() }: { store?: Store } = {}) {
  const clock = fakeClock();
  const errors: unknown[] = [];
  const files = createGoalFiles({
    store,
    clock,
    yaml: platform.yaml,
    logger: { error: (message, about) => void errors.push({ message, ...about }) },
    cadenceProblem: (text) => (text === "sometimes" ? "expected a time" : undefined),
  });
  return { store, clock, files, errors };
}

const add = (objective: string) => (goals: PersonGoals) => changeGoal(goals, { objective });

describe("createGoalFiles()", () => {
  it("reads what a person wrote", async () => {
    const { store, files } = setUp();
    expect(await files.read(ADA)).toBeNull();
    await store.put(KEY, BY_HAND);
    expect((await files.read(ADA))?.goals).toEqual({
      persona: "A patient coach",
      coreDrives: [{ name: "learning", intensity: 4, keywords: ["read", "study"] }],
      topDrives: [],
      initiativeSources: [],
      goals: [
        {
          objective: "Write the thesis",
          currentFocus: "chapter 3",
          reviewCadence: "weekly",
          keyResults: [{ metric: "chapters", target: 8, current: 2 }],
        },
        { objective: "Run a marathon", keyResults: [] },
      ],
    });
  });

  it("changes one line and leaves the rest as it was written, comments too", async () => {
    const { store, files } = setUp();
    await store.put(KEY, BY_HAND);
    const keyResults = [{ metric: "Chapters", current: 3 }];
    await files.change(ADA, (goals) => changeGoal(goals, { objective: "write the thesis", keyResults }));
    expect((await store.get(KEY))?.value).toBe(
      BY_HAND.replace("current: 2", "current: 3").replace('3"   #', '3" #').replace("[read, study]", "[ read, study ]"),
    );
  });

  it("takes one goal away and adds another, and leaves the comments at the goals that they are about", async () => {
    const { store, files } = setUp();
    await store.put(KEY, BY_HAND);
    await files.change(ADA, (goals) =>
      changeGoal(changeGoal(goals, { objective: "Run a marathon", remove: true }), {
        objective: "学中文",
        keyResults: [
          { metric: "characters", target: 1000, current: 10 },
          { metric: "exam", target: "HSK 3" },
        ],
        reviewCadence: "monthly",
      }),
    );
    const text = (await store.get(KEY))?.value as string;
    expect(text).not.toContain("marathon");
    expect(text).toContain("# The big one\n  - objective: Write the thesis");
    expect((await files.read(ADA))?.goals.goals[1]).toEqual({
      objective: "学中文",
      reviewCadence: "monthly",
      keyResults: [
        { metric: "characters", target: 1000, current: 10 },
        { metric: "exam", target: "HSK 3" },
      ],
    });
  });

  it("begins a file that people can read, and writes nothing where nothing changed", async () => {
    const { store, files } = setUp();
    const { version, changed } = await files.change(ADA, add("Run: a marathon"));
    expect(changed).toBe(true);
    expect((await store.get(KEY))?.value).toBe(
      '# Goals: to be read and edited by hand. Comments stay.\n\ngoals:\n  - objective: "Run: a marathon"\n',
    );
    expect(await files.change(ADA, add("run:  A marathon"))).toMatchObject({ version, changed: false });
  });

  it.each(["", "\n", "# Mine", "goals:\n", "# Mine\ngoals: []\n", "---\n"])("adds to %j", async (text) => {
    const { store, files } = setUp();
    await store.put(KEY, text);
    await files.change(ADA, add("x"));
    const after = (await store.get(KEY))?.value as string;
    expect((await files.read(ADA))?.goals.goals).toHaveLength(1);
    expect(after.includes("# Mine")).toBe(text.includes("# Mine"));
  });

  it("writes over nobody: changes at once are all kept, and so is what a person wrote in between", async () => {
    const { store, files } = setUp();
    await Promise.all(["a", "b", "c", "d"].map((name) => files.change(ADA, add(name))));
    let isFirst = true;
    await files.change(ADA, (goals) => {
      if (isFirst) void store.put(KEY, "goals: [{ objective: by hand }]\n");
      isFirst = false;
      return add("e")(goals);
    });
    expect((await files.read(ADA))?.goals.goals.map(({ objective }) => objective)).toEqual(["by hand", "e"]);
  });

  it("refuses a version that is not the newest", async () => {
    const { files } = setUp();
    const { version } = await files.change(ADA, add("a"), null);
    await files.change(ADA, add("b"), version);
    await expect(files.change(ADA, add("c"), version)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(files.change(ADA, add("c"), null)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it.each([
    ["goals: [\n", 2, "Not valid YAML"],
    ["goal: []\n", 1, "goal: unknown key: expected persona, core_drives, top_drives, initiative_sources, goals"],
    ["a\n", 1, "expected a group of keys"],
    [
      "core_drives:\n  - name: x\n    intensity: 6\n",
      3,
      "core_drives[0].intensity: expected a whole number from 1 to 5",
    ],
    ["goals:\n  - key_results: []\n", 2, "goals[0].objective: is missing"],
    [
      "goals:\n  - objective: x\n    key_results:\n      - metric: m\n",
      4,
      "goals[0].key_results[0].target: is missing",
    ],
    ["goals:\n  - objective: x\n    key_results:\n      - metric: m\n        target: [1]\n", 5, "expected a number"],
    ["goals:\n  - objective: x\n  - objective: ' X'\n", 3, 'goals[1].objective: "x" occurs twice'],
    ["goals:\n  - objective: x\n    review_cadence: sometimes\n", 3, "goals[0].review_cadence: expected a time"],
    [`goals:\n${"  - objective: x\n".repeat(21)}`, 1, "goals: expected at most 20"],
  ])("says what is wrong with %j, once, and leaves it as it is", async (text, line, message) => {
    const { store, files, errors } = setUp();
    await store.put(KEY, text);
    const refusal = { code: "CONFIG_INVALID", message: expect.stringContaining(message) as string };
    await expect(files.read(ADA)).rejects.toMatchObject(refusal);
    await expect(files.change(ADA, add("a"))).rejects.toMatchObject({ issues: [{ file: KEY, line }] });
    expect(await files.shown(ADA)).toBeNull();
    expect((await store.get(KEY))?.value).toBe(text);
    expect(errors).toEqual([
      expect.objectContaining({ file: KEY, problem: expect.stringContaining(message) as string }),
    ]);
  });

  it.each([
    [{ coreDrives: [{ name: "x", intensity: 0 }] }, "core_drives[0].intensity: expected a whole number from 1 to 5"],
    [{ goals: [{ objective: " ", keyResults: [] }] }, "goals[0].objective: expected a text of 1 to 200 characters"],
    [{ goals: [{ objective: "x", keyResults: [], reviewCadence: "sometimes" }] }, "expected a time"],
  ] as const)("refuses %j", async (goals, message) => {
    const { store, files } = setUp();
    const change = files.change(ADA, () => ({ ...NO_GOALS, ...goals }));
    await expect(change).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(message) as string,
    });
    expect(await store.get(KEY)).toBeNull();
  });

  it("leaves a file whose aliases stand in the way", async () => {
    const { store, files } = setUp();
    const text = "goals:\n  - &a { objective: x, current_focus: f }\ntop_drives: [&n one]\npersona: *n\n";
    await store.put(KEY, text);
    await files.change(ADA, (goals) => changeGoal(goals, { objective: "x", currentFocus: "g" }));
    expect((await files.read(ADA))?.goals.goals[0]?.currentFocus).toBe("g");
    await expect(files.change(ADA, (goals) => ({ ...goals, topDrives: [] }))).rejects.toThrow();
    expect((await files.read(ADA))?.goals.topDrives).toEqual(["one"]);
  });

  it("shows what it wrote at once, and an edit by hand after 1.5 seconds", async () => {
    const { store, clock, files } = setUp();
    expect(await files.shown(ADA)).toBeNull();
    await files.change(ADA, add("a"));
    expect((await files.shown(ADA))?.goals.goals).toHaveLength(1);
    await store.put(KEY, BY_HAND);
    expect((await files.shown(ADA))?.goals.goals).toHaveLength(1);
    await clock.advance(1500);
    expect((await files.shown(ADA))?.goals.goals).toHaveLength(2);
  });

  it("takes a store that fails for no person without goals", async () => {
    const failing = {
      ...memoryStore(),
      get: () => Promise.reject(new AssistantError("STORE_UNAVAILABLE", "It is down")),
    };
    const { files } = setUp({ store: failing });
    await expect(files.shown(ADA)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("lists whose files there are", async () => {
    const { store, files } = setUp();
    await files.change(ADA, add("a"));
    await files.change("@owner", add("a"));
    await store.put("goals/notes.txt", "x");
    const users: string[] = [];
    for await (const { userId } of files.list()) users.push(userId);
    expect(users).toEqual(["@owner", ADA]);
  });
});

describe("createGoalRenaming()", () => {
  it("moves a person's file to the id with its capitals, and nothing for others", async () => {
    const store = memoryStore();
    await store.put("goals/app:ada.yaml", BY_HAND);
    const { userMoves } = createGoalRenaming({ store });
    expect(await userMoves?.("app:ada", "app:Ada")).toEqual([{ from: "goals/app:ada.yaml", to: "goals/app:Ada.yaml" }]);
    expect(await userMoves?.("app:ad", "app:Ad")).toEqual([]);
  });
});

describe("changeGoal()", () => {
  const goals = changeGoal(NO_GOALS, {
    objective: "Read more",
    keyResults: [{ metric: "books", target: 12 }],
    currentFocus: "the evenings",
    reviewCadence: "weekly",
  });
  const one = (change: object) => changeGoal(goals, { objective: "read more", ...change }).goals[0];

  it.each([
    [
      "a value",
      { keyResults: [{ metric: "books", current: 3 }] },
      { keyResults: [{ metric: "books", target: 12, current: 3 }] },
    ],
    ["a target", { keyResults: [{ metric: "Books", target: 20 }] }, { keyResults: [{ metric: "books", target: 20 }] }],
    [
      "a new metric",
      { keyResults: [{ metric: "pages", target: 9 }] },
      {
        keyResults: [
          { metric: "books", target: 12 },
          { metric: "pages", target: 9 },
        ],
      },
    ],
    [
      "one metric away",
      { remove: true, keyResults: [{ metric: "books" }] },
      { keyResults: [], currentFocus: "the evenings" },
    ],
    ["the focus", { currentFocus: "weekends" }, { currentFocus: "weekends", reviewCadence: "weekly" }],
  ])("changes %s, and nothing else", (_what, change, expected) => {
    expect(one(change)).toMatchObject({ objective: "Read more", ...expected });
  });

  it("takes away what is given as empty, and the whole goal", () => {
    expect(one({ currentFocus: "", reviewCadence: "" })).toEqual({
      objective: "Read more",
      keyResults: [{ metric: "books", target: 12 }],
    });
    expect(changeGoal(goals, { objective: "READ  more", remove: true }).goals).toEqual([]);
  });

  it.each([
    [{ keyResults: [{ metric: "pages", current: 1 }] }, "OPTION_INVALID"],
    [{ objective: "other", remove: true }, "NOT_FOUND"],
    [{ remove: true, keyResults: [{ metric: "pages" }] }, "NOT_FOUND"],
  ])("refuses %j", (change, code) => {
    expect(() => one(change)).toThrow(expect.objectContaining({ code }) as Error);
  });
});

describe("progressOf()", () => {
  it.each([
    [{ target: 8, current: 2 }, 0.25],
    [{ target: 8, current: 9 }, 1],
    [{ target: 8, current: -1 }, 0],
    [{ target: 8 }, undefined],
    [{ target: 0, current: 1 }, undefined],
    [{ target: "B2", current: "A1" }, undefined],
  ])("of %j is %s", (result, progress) => {
    expect(progressOf({ metric: "m", ...result })).toBe(progress);
  });
});

describe("moveUser()", () => {
  const NOW = "@ada";

  it("reports a file that is no text once, and leaves it", async () => {
    const t = setUp();
    const bytes = new Uint8Array([0xff, 0xfe, 0x67, 0]);
    await t.store.put(KEY, bytes);
    expect(await t.files.shown(ADA)).toBeNull();
    await expect(t.files.read(ADA)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(t.files.change(ADA, () => NO_GOALS)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(t.errors).toMatchObject([{ file: KEY, problem: expect.stringContaining("expected a text") as string }]);
    expect((await t.store.get(KEY))?.value).toEqual(bytes);
  });

  it("moves a file as it stands, also one that cannot be read", async () => {
    const { store, files } = setUp();
    for (const text of [BY_HAND, "goals: 7\n"]) {
      await store.put(KEY, text);
      expect(await files.moveUser(ADA, NOW)).toBe(1);
      expect([await store.get(KEY), (await store.get("goals/@ada.yaml"))?.value]).toEqual([null, text]);
      await store.remove("goals/@ada.yaml");
    }
    expect(await files.moveUser(ADA, NOW)).toBe(0);
  });

  it("joins two files: all of both, of what both have what stands under the new name, and comments there", async () => {
    const { store, files } = setUp();
    const goal = { objective: "write the  THESIS", currentFocus: "chapter 4" };
    const keyResults = [
      { metric: "chapters", target: 9, current: 3 },
      { metric: "pages", target: 200 },
    ];
    await files.change(ADA, () => ({
      ...NO_GOALS,
      persona: "A friend",
      coreDrives: [
        { name: "Learning", intensity: 1 },
        { name: "rest", intensity: 2 },
      ],
      goals: [
        { ...goal, keyResults },
        { objective: "Sleep", keyResults: [] },
      ],
    }));
    await store.put("goals/@ada.yaml", BY_HAND);
    const copy = (await store.get(KEY))!.value;
    await files.moveUser(ADA, NOW);
    // Killed before the original went.
    await store.put(KEY, copy);
    await files.moveUser(ADA, NOW);
    const { goals } = (await files.read(NOW))!;
    expect(goals).toMatchObject({
      persona: "A patient coach\nA friend",
      coreDrives: [{ name: "learning", intensity: 4 }, { name: "rest" }],
    });
    expect(goals.goals.map(({ objective }) => objective)).toEqual(["Write the thesis", "Run a marathon", "Sleep"]);
    expect(goals.goals[0]).toMatchObject({
      currentFocus: "chapter 3; chapter 4",
      keyResults: [{ metric: "chapters", target: 8, current: 2 }, { metric: "pages" }],
    });
    expect((await store.get("goals/@ada.yaml"))?.value).toContain("# until June");
    expect(await store.get(KEY)).toBeNull();
  });

  it("leaves both where one is wrong or together they are too much", async () => {
    const { store, files } = setUp();
    await files.change(NOW, () => ({ ...NO_GOALS, goals: [{ objective: "Sleep", keyResults: [] }] }));
    const many = Array.from({ length: 20 }, (_, n) => `  - objective: Goal ${n}\n`).join("");
    for (const text of ["goals: 7\n", `goals:\n${many}`]) {
      await store.put(KEY, text);
      await expect(files.moveUser(ADA, NOW)).rejects.toMatchObject({ code: "CONFLICT" });
      expect((await store.get(KEY))?.value).toBe(text);
      expect((await files.read(NOW))?.goals.goals).toHaveLength(1);
    }
  });
});
