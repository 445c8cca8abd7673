const NAME = "[a-z0-9][a-z0-9-]{0,63}";
const SLUG = new RegExp(`^(?:@?(${NAME})/)?(${NAME})$`);

/** A parsed slug: the skill's name, and its owner if the registry has owners. */
export interface Slug {
  /** As it is sent to the registry: `name` or `owner/name`. */
  readonly slug: string;
  /** Name of the skill and its folder. */
  readonly name: string;
}

/** Parses `name`, `owner/name` or `@owner/name`; null for anything else. */
export function readSlug(text: string): Slug | null {
  const [, owner, name] = SLUG.exec(text) ?? [];
  if (name === undefined) return null;
  return { name, slug: owner === undefined ? name : `${owner}/${name}` };
}

/** Whether a text is a version as registries write it: `1.2.3`, `2026.01.31-rc.1`. */
export function isVersion(text: string): boolean {
  return /^[0-9a-z][0-9a-z.+_-]{0,63}$/iu.test(text);
}
