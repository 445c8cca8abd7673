import { AssistantError, ConflictError } from "../errors.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { JsonValue, Store } from "../store/index.ts";
import { ruleHash, sameJson } from "./binding.ts";
import { APPROVALS_FORMAT, type AllowRule, type ApprovalAnswer, type ApprovalRecord, parseRule } from "./records.ts";
import type { ApprovalRequest } from "./approvals.ts";

const KEY = "approvals/rules";

/** A rule as people see it. */
export interface AllowRuleView {
  readonly id: string;
  readonly tool: string;
  /** Exactly these arguments; absent for a rule with a pattern. */
  readonly input?: JsonValue;
  readonly pattern?: string;
  /** Whose calls: `owner`, or one `channel:id`. */
  readonly for: string;
  /** `channel:id` of who made it. */
  readonly by: string;
  readonly madeAt: Date;
}

export type AllowRules = ReturnType<typeof createAllowRules>;

/** What the owner allowed for good. All rules are one document: they are few, and every dangerous call asks all of them. */
export function createAllowRules({ store }: { readonly store: Store }) {
  async function load() {
    const found = await store.get(KEY);
    const value = found?.value as { readonly rules?: readonly JsonValue[] } | undefined;
    return { rules: (value?.rules ?? []).map((rule) => parseRule(rule, KEY)), version: found?.version ?? null };
  }

  async function change(edit: (rules: readonly AllowRule[]) => readonly AllowRule[]): Promise<void> {
    for (;;) {
      const { rules, version } = await load();
      const value = { v: APPROVALS_FORMAT, rules: edit(rules) } as unknown as JsonValue; // plain data all the way down
      try {
        await store.put(KEY, value, { expect: version });
        return;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  return {
    /** The rule that lets this call pass, if there is one: for this tool as it is now, this caller, these arguments. */
    async find(asked: ApprovalRequest): Promise<AllowRule | undefined> {
      const { rules } = await load();
      for (const rule of rules) {
        const { hash, ...rest } = rule;
        const isSame =
          rule.tool === asked.tool &&
          rule.definition === asked.definition &&
          sameJson(rule.boundTo, asked.boundTo) &&
          rule.for === holder(asked.caller);
        if (!isSame || (await ruleHash(rest)) !== hash) continue;
        if (rule.input !== undefined ? sameJson(rule.input, asked.input) : await fits(asked, rule.pattern)) return rule;
      }
      return undefined;
    },

    /** Keeps what an answer `always` allows. */
    async add(record: ApprovalRecord, answer: ApprovalAnswer): Promise<void> {
      const rule: Omit<AllowRule, "hash"> = {
        v: APPROVALS_FORMAT,
        id: record.code,
        tool: record.tool,
        ...(answer.pattern === undefined ? { input: record.input } : { pattern: answer.pattern }),
        boundTo: record.boundTo,
        definition: record.definition,
        for: holder(record.caller),
        by: answer.by,
        at: answer.at,
      };
      const kept: AllowRule = { ...rule, hash: await ruleHash(rule) };
      await change((rules) => [...rules.filter((rule) => rule.id !== kept.id), kept]);
    },

    async list(): Promise<readonly AllowRuleView[]> {
      const { rules } = await load();
      return rules.map(({ id, tool, input, pattern, for: holds, by, at }) => ({
        id,
        tool,
        ...(input !== undefined && { input }),
        ...(pattern !== undefined && { pattern }),
        for: holds,
        by,
        madeAt: new Date(at),
      }));
    },

    /** @throws {AssistantError} `NOT_FOUND`. */
    async remove(id: string): Promise<void> {
      const { rules } = await load();
      if (!rules.some((rule) => rule.id === id))
        throw new AssistantError(
          "NOT_FOUND",
          `There is no rule ${JSON.stringify(id)}: \`wakeful approvals rules\` lists them`,
        );
      await change((all) => all.filter((rule) => rule.id !== id));
    },
  };
}

function holder({ user, userRoles }: { readonly user: string; readonly userRoles: readonly string[] }): string {
  return userRoles.includes(OWNER_ROLE) ? OWNER_ROLE : user;
}

async function fits(asked: ApprovalRequest, pattern: string | undefined): Promise<boolean> {
  if (pattern === undefined || !asked.fits) return false;
  return asked.fits(pattern);
}
