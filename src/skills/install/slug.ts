const NAME = "[a-z0-9][a-z0-9-]{0,63}";
const SLUG = new RegExp(`^(?:@?(${NAME})/)?(${NAME})$`);

/** A slug that was read: the skill's name, and whose it is where the registry tells owners apart. */
export interface Slug {
  /** As the registry is asked: `name` or `owner/name`. */
  readonly slug: string;
  /** Of the skill, and so of its folder. */
  readonly name: string;
}

/** Reads `name`, `owner/name` or `@owner/name`; null for anything else. */
export function readSlug(text: string): Slug | null {
  const [, owner, name] = SLUG.exec(text) ?? [];
  if (name === undefined) return null;
  return { name, slug: owner === undefined ? name : `${owner}/${name}` };
}

/** A version as registries write it: `1.2.3`, `2026.01.31-rc.1`. */
export function isVersion(text: string): boolean {
  return /^[0-9a-z][0-9a-z.+_-]{0,63}$/iu.test(text);
}
