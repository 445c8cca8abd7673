/**
 * The text of the `SKILL.md` in an archive, for a registry that has nothing else to say of it: the archive is checked as an installation checks it.
 *
 * @throws {AssistantError} `SKILL_REFUSED` for an archive that no installation would use.
 */
export async function skillTextOf(archive: Uint8Array): Promise<string> {
  const { unpackSkill } = await import("./unpack.ts");
  return unpackSkill(archive).text;
}
