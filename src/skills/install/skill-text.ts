/**
 * Returns the text of the `SKILL.md` in an archive, for a registry that offers no other metadata. The archive is
 * checked as for an installation.
 *
 * @throws {AssistantError} `SKILL_REFUSED` for an archive that an installation would refuse.
 */
export async function skillTextOf(archive: Uint8Array): Promise<string> {
  const { unpackSkill } = await import("./unpack.ts");
  return unpackSkill(archive).text;
}
