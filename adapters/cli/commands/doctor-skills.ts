import { messageOf } from "../../../kit.ts";
import { isBegun } from "../data-place.ts";
import { type SourceArguments, withSource } from "../remote.ts";
import type { Settings } from "../settings.ts";
import type { SkillProblemRow, SkillRow, SkillsClient, VerificationRow } from "../skills-client.ts";
import type { Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import type { Row } from "./doctor-row.ts";
import { differences } from "./skills-registry.ts";

const check = "skills";
const PLACES = ["workspace", "given", "global", "built-in"] as const;

/**
 * The number of skills by source, and those that are broken, not offered, waiting for consent, or changed since their
 * installation.
 */
export async function skillRows(
  settings: Settings,
  given: SourceArguments,
  terminal: Terminal,
): Promise<readonly Row[]> {
  if (settings.config.skills?.enabled === false)
    return [{ check, state: "ok", what: "switched off: no skill activates" }];
  const { sources = [] } = settings.config.skills ?? {};
  if (given.url === undefined && sources.length === 0 && !isBegun(settings, terminal.cwd)) return [];
  try {
    return await withSource(settings, terminal, given, ({ skills }) => examine(skills), { asks: true });
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}

async function examine(client: SkillsClient): Promise<readonly Row[]> {
  const skills = await client.list();
  const suggestions = (await client.suggestions()).filter(({ state }) => state === "open");
  const installed = skills.filter(({ origin }) => origin !== undefined);
  const verified: Row[] = [];
  for (const skill of installed) verified.push(...(await verifyRows(skill, client)));
  return [
    {
      check,
      state: "ok",
      what: `${countsOf(skills)}${suggestions.length === 0 ? "" : `; ${suggestions.length} suggested: wakeful skills suggestions`}`,
    },
    ...(await client.problems()).map(problemRow),
    ...skills.filter(({ missing }) => missing.length > 0).map(missingRow),
    ...verified,
  ];
}

/** `4: 2 workspace, 1 given, 1 built-in`. */
function countsOf(skills: readonly SkillRow[]): string {
  if (skills.length === 0) return "none";
  const counts = PLACES.map((place) => [skills.filter((skill) => skill.place === place).length, place] as const);
  const named = counts.filter(([count]) => count > 0).map(([count, place]) => `${count} ${place}`);
  return `${skills.length}: ${named.join(", ")}`;
}

function problemRow({ file, line, field, message, level }: SkillProblemRow): Row {
  const place = line === undefined ? (field === undefined ? ":" : "") : `:${line}`;
  const named = field === undefined ? "" : `${field}: `;
  if (level === "note")
    return {
      check,
      state: "ok",
      what: printable(`${file}: ${message}`),
      remedy: "if this is not intended, rename one of them",
    };
  const isPattern = field?.startsWith("triggers.intent_patterns") === true && /engine|re2/i.test(message);
  return {
    check,
    state: "warn",
    what: printable(`${file}${place} ${named}${message}`),
    remedy: isPattern
      ? "write the pattern without look-around, back-references and groups that repeat, or install re2js: npm install re2js"
      : `fix that${line === undefined ? "" : " line"}, then run wakeful skills check`,
  };
}

/** A missing requirement may be intended; consent is the owner's decision. */
function missingRow({ name, missing, disabled, origin }: SkillRow): Row {
  if (disabled !== true)
    return {
      check,
      state: "ok",
      what: printable(`${name} is not offered: ${missing.join("; ")}`),
      remedy: `see it with wakeful skills show ${name}`,
    };
  return {
    check,
    state: "warn",
    what: printable(`${name} waits for your consent: ${origin?.registry ?? "its registry"} calls it suspicious`),
    remedy: `read it with wakeful skills show ${name}, then wakeful skills enable ${name} or wakeful skills remove ${name}`,
  };
}

async function verifyRows({ name, origin }: SkillRow, client: SkillsClient): Promise<readonly Row[]> {
  const registry = origin?.registry ?? "its registry";
  let found: VerificationRow;
  try {
    found = await client.verify(name);
  } catch (error) {
    const remedy = "wakeful skills verify tries again";
    return [{ check, state: "warn", what: printable(`${name} cannot be verified: ${messageOf(error)}`), remedy }];
  }
  if (found.ok) return [];
  return [
    {
      check,
      state: "warn",
      what: printable(`${name} differs from the version installed from ${registry}: ${differences(found)}`),
      remedy: `wakeful skills update ${name} --force installs it again; if the changes are yours, keep them`,
    },
  ];
}
