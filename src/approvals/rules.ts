import { AssistantError, ConflictError } from "../errors.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { type JsonValue, type Store, readDocument, type ReadableRoom } from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import type { ApprovalRequest } from "./approvals.ts";
import { ruleHash, sameJson } from "./binding.ts";
import {
  APPROVALS_FORMAT,
  type AllowRule,
  type ApprovalAnswer,
  type ApprovalRecord,
  type SavedCaller,
  parseRule,
} from "./records.ts";

const KEY = "approvals/rules";
export const RULES_DOCUMENT: ReadableRoom = [KEY, readRules];

/** A rule for people. */
export interface AllowRuleView {
  /** Id for removing the rule. */
  readonly id: string;
  /** Full name of the tool that it allows. */
  readonly tool: string;
  /** Exactly these arguments; absent for a rule with a pattern. */
  readonly input?: JsonValue;
  /** Pattern for the arguments, such as `git log *`; absent for a rule with an input. */
  readonly pattern?: string;
  /**
   * Whose calls it allows: `owner`, or one `channel:id` (several, joined by `+`, for a turn that
   * answered several people at once).
   */
  readonly for: string;
  /** The person who made it, as `channel:id`. */
  readonly by: string;
  /** When the owner answered `always`. */
  readonly madeAt: Date;
}

/**
 * The owner's permanent permissions. All rules are one document, because they are few and every
 * dangerous call checks all of them.
 */
export function createAllowRules({ store, logger }: { readonly store: Store; readonly logger: Logger }) {
  /** The raw document: rules that this version cannot read must not be overwritten. */
  async function load() {
    const found = await store.get(KEY);
    return { rules: found ? rulesOf(found.value) : [], version: found?.version ?? null };
  }

  /** The readable rules. Others allow nothing. */
  async function readable(): Promise<readonly AllowRule[]> {
    const found = await load().catch(leftOut(logger));
    return (found?.rules ?? []).flatMap((rule) => {
      try {
        return [parseRule(rule, KEY)];
      } catch (error) {
        return leftOut(logger)(error) ?? [];
      }
    });
  }

  async function change(edit: (rules: readonly JsonValue[]) => readonly JsonValue[]): Promise<void> {
    for (;;) {
      const { rules, version } = await load();
      try {
        await store.put(KEY, { v: APPROVALS_FORMAT, rules: edit(rules) }, { expect: version });
        return;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  return {
    /** Finds a rule for this tool in its current form, these people and these arguments. */
    async find(asked: ApprovalRequest): Promise<AllowRule | undefined> {
      const holds = holderOf(asked.caller);
      for (const rule of await readable()) {
        const isSame = rule.tool === asked.tool && rule.definition === asked.definition && rule.for === holds;
        if (!isSame || !sameJson(rule.boundTo, asked.boundTo)) continue;
        const fits = rule.input === undefined ? await matches(asked, rule.pattern) : sameJson(rule.input, asked.input);
        const { hash, ...rest } = rule;
        if (fits && (await ruleHash(rest)) === hash) return rule;
      }
      return undefined;
    },

    /** Stores what an answer `always` allows. */
    async add(record: ApprovalRecord, answer: ApprovalAnswer): Promise<void> {
      const rule: Omit<AllowRule, "hash"> = {
        v: APPROVALS_FORMAT,
        id: record.code,
        tool: record.tool,
        ...(answer.pattern === undefined ? { input: record.input } : { pattern: answer.pattern }),
        boundTo: record.boundTo,
        definition: record.definition,
        for: holderOf(record.caller),
        by: answer.by,
        at: answer.at,
      };
      const kept = { ...rule, hash: await ruleHash(rule) };
      await change((rules) => [...rules.filter((other) => idOf(other) !== kept.id), kept]);
    },

    async list(): Promise<readonly AllowRuleView[]> {
      return (await readable()).map(({ id, tool, input, pattern, for: holds, by, at }) => ({
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
      if (!rules.some((rule) => idOf(rule) === id)) {
        const message = `There is no rule ${JSON.stringify(id)}: \`wakeful approvals rules\` lists them`;
        throw new AssistantError("NOT_FOUND", message);
      }
      await change((all) => all.filter((rule) => idOf(rule) !== id));
    },
  };
}

/** @throws {AssistantError} As `parseRule`. */
function rulesOf(value: unknown): readonly JsonValue[] {
  const { rules } = readDocument(value, KEY, APPROVALS_FORMAT, (document) => Array.isArray(document["rules"]));
  return rules as readonly JsonValue[]; // each one is parsed later
}

/** @throws {AssistantError} As `parseRule`. */
function readRules(value: unknown): readonly AllowRule[] {
  return rulesOf(value).map((rule) => parseRule(rule, KEY));
}

/** A rule for one person never applies to a turn that also answers other people. */
function holderOf({ user, userRoles, speakers = [user] }: SavedCaller): string {
  return userRoles.includes(OWNER_ROLE) ? OWNER_ROLE : speakers.toSorted().join("+");
}

async function matches(asked: ApprovalRequest, pattern: string | undefined): Promise<boolean> {
  if (pattern === undefined || !asked.fits) return false;
  return asked.fits(pattern);
}

function idOf(rule: JsonValue): unknown {
  return typeof rule === "object" && rule !== null && "id" in rule ? rule["id"] : undefined;
}
