import { describe, expect, it } from "vitest";
import { beginLife } from "../support/life.ts";
import { stride } from "../support/thorough.ts";
import { until } from "../support/until.ts";
import { OWNER, askedAndStopped, entriesOf, processOf, wipeTool } from "./programs.ts";

describe("a crash at any write", () => {
  it("of the answer or of the run: the call runs once at most, and an answer that was heard is not lost", async () => {
    for (const dying of ["the one that answers", "the one that runs"] as const) {
      let survived = false;
      for (let writes = 0; !survived && writes < 200; writes += stride(3)) {
        const { code, store, clock } = await askedAndStopped();
        const life = beginLife(store, clock, writes);
        let heard = false;
        const ran: string[] = [];
        if (dying === "the one that answers") {
          void processOf({ store, clock, life, has: false })
            .then(({ assistant }) => assistant.approvals.answer(code, { answer: "once", user: OWNER }))
            .then(() => (heard = true));
        } else {
          const other = await processOf({ store, clock, has: false });
          await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
          await other.assistant.stop();
          heard = true;
          void processOf({ store, clock, life, has: false, start: false }).then(async ({ assistant }) => {
            assistant.tools.register("wipe", wipeTool(ran));
            await assistant.start();
          });
        }
        for (let step = 0; step < 60 && !life.killed; step += 1) {
          await clock.advance(500);
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
        survived = !life.killed;
        life.kill();

        const program = await processOf({ store, clock });
        if (!heard && (await program.all())?.state === "open")
          await program.assistant.approvals.answer(code, { answer: "once", user: OWNER });
        await until(clock, async () => (await program.all())?.state === "ended");
        ran.push(...program.ran);
        expect(ran.length, `${dying}, after ${writes} writes`).toBeLessThanOrEqual(1);
        const verdict = (await program.all())?.outcome?.verdict;
        expect(["done", "interrupted"], `${dying}, after ${writes} writes`).toContain(verdict);
        if (dying === "the one that answers") expect(ran, `after ${writes} writes`).toEqual(["sda"]);
        const isTold = (entry: string) => /(?:Approved|Interrupted) \(/.test(entry);
        await until(clock, async () => (await entriesOf(program)).filter(isTold).length === 1);
        await program.assistant.stop();
      }
      expect(survived).toBe(true);
    }
  });
});
