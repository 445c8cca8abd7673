import { describe, expect, it } from "vitest";
import {
  DEFAULT_LIFETIME_MS,
  KEEP_ENDED_MS,
  type NewOffer,
  createButtons,
  readButton,
} from "../../src/buttons/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { ADA, BOB, GROUP, HERS, forgotten, keysIn, textIn } from "../skills/support.ts";

const OFFER: NewOffer = {
  source: "suggestion 1",
  kind: "skill-suggestion",
  people: [ADA],
  session: HERS,
  choices: [
    { id: "yes", label: "Yes" },
    { id: "no", label: "No" },
  ],
  data: { suggestion: "1" },
};

function setUp(store: Store = memoryStore()) {
  const clock = fakeClock();
  const buttons = createButtons({ store, clock });
  const press = (offerId: string, choice = "yes", { user = ADA, id = "p1" } = {}) =>
    buttons.press({ offerId, choice, user, id });
  return { store, clock, buttons, press };
}

describe("createButtons()", () => {
  it("makes buttons that a platform keeps, and reads them", async () => {
    const { buttons } = setUp();
    const made = await buttons.offer({ ...OFFER, choices: [{ id: "x".repeat(16), label: "Yes" }] });
    const [button] = made.buttons;
    expect(new TextEncoder().encode(button?.id).length).toBeLessThanOrEqual(64);
    expect(readButton(button?.id ?? "")).toEqual({ offerId: made.id, choice: "x".repeat(16) });
  });

  it.each(["/approve K7QD2M", "b:short:yes", "b:0123456789AB:", "b:0123456789AB:yes more", ""])(
    "finds no offer in %j",
    (text) => {
      expect(readButton(text)).toBeNull();
    },
  );

  it.each(["", "Yes", "x".repeat(17), "a:b"])("refuses the choice %j", async (id) => {
    const { buttons } = setUp();
    await expect(buttons.offer({ ...OFFER, choices: [{ id, label: "?" }] })).rejects.toThrow(TypeError);
  });

  it("makes one offer of one source", async () => {
    const { buttons, press } = setUp();
    const [one, other] = [await buttons.offer(OFFER), await buttons.offer(OFFER)];
    expect(other).toEqual(one);
    await press(one.id);
    await buttons.offer(OFFER);
    expect(await press(one.id, "yes", { id: "p2" })).toMatchObject({ outcome: "refused", why: "used" });
    expect((await buttons.offer({ ...OFFER, source: "another" })).id).not.toBe(one.id);
  });

  it("takes one press, of two at a time too", async () => {
    const { buttons, press, store } = setUp();
    const { id } = await buttons.offer(OFFER);
    const other = setUp(store);
    const outcomes = await Promise.all([press(id, "yes", { id: "p1" }), other.press(id, "no", { id: "p2" })]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["refused", "taken"]);
    expect(outcomes.find(({ outcome }) => outcome === "refused")).toMatchObject({ why: "used" });
  });

  it("takes a press again that is delivered again, until it was obeyed", async () => {
    const { buttons, press } = setUp();
    const { id } = await buttons.offer(OFFER);
    expect(await press(id)).toMatchObject({ outcome: "taken", choice: "yes" });
    expect(await press(id)).toMatchObject({ outcome: "taken", choice: "yes" });
    expect(await press(id, "no")).toMatchObject({ outcome: "refused", why: "used" });
    await buttons.done(id);
    await buttons.done(id);
    expect(await press(id)).toMatchObject({ outcome: "repeated" });
  });

  it("takes a press that is delivered again after its time", async () => {
    const { buttons, press, clock } = setUp();
    const { id } = await buttons.offer(OFFER);
    await press(id);
    clock.step(DEFAULT_LIFETIME_MS);
    expect(await press(id)).toMatchObject({ outcome: "taken" });
  });

  it.each([
    { title: "of another person", choice: "yes", user: BOB, later: 0, why: "not-yours" },
    { title: "of another person, whatever they press", choice: "what", user: BOB, later: 0, why: "not-yours" },
    { title: "of no choice", choice: "what", user: ADA, later: 0, why: "unknown" },
    { title: "that comes too late", choice: "yes", user: ADA, later: DEFAULT_LIFETIME_MS, why: "expired" },
  ])("refuses a press $title, which uses nothing up", async ({ choice, user, later, why }) => {
    const { buttons, press, clock } = setUp();
    const { id } = await buttons.offer(OFFER);
    clock.step(later);
    expect(await press(id, choice, { user })).toMatchObject({ outcome: "refused", why });
    clock.step(-later);
    expect(await press(id)).toMatchObject({ outcome: "taken" });
  });

  it("refuses a press of an offer that is not there", async () => {
    const { press } = setUp();
    expect(await press("0123456789AB")).toEqual({ outcome: "refused", why: "unknown" });
  });

  it("removes offers that ended a day ago, once a day", async () => {
    const { buttons, clock, store } = setUp();
    await buttons.offer(OFFER);
    clock.step(DEFAULT_LIFETIME_MS + KEEP_ENDED_MS - 1);
    await buttons.offer({ ...OFFER, source: "second" });
    expect(await keysIn(store, "buttons/")).toHaveLength(2);
    clock.step(KEEP_ENDED_MS);
    await buttons.offer({ ...OFFER, source: "third" });
    expect(await keysIn(store, "buttons/")).toHaveLength(2);
  });

  it("forgets a person: offers to them, and those about their conversations", async () => {
    const { buttons, store } = setUp();
    await buttons.offer(OFFER);
    await buttons.offer({ ...OFFER, source: "2", people: [BOB] });
    await buttons.offer({ ...OFFER, source: "3", people: [BOB], session: GROUP, data: `about ${ADA}` });
    await buttons.forget(forgotten());
    expect(await textIn(store)).not.toContain("ada-7001");
    expect(await keysIn(store, "buttons/")).toHaveLength(1);
  });
});
