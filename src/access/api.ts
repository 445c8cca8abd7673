import type { Access, Answerer } from "./access.ts";
import type { AccessView, AskedView, PersonView } from "./views.ts";

/** `assistant.access`: who is let in besides those whom the configuration names. Source: docs/access.md. */
export interface AccessApi {
  /** Who asks to be let in, who was, and who became the owner by a code. */
  list(): Promise<AccessView>;
  /**
   * Lets in whoever asked with this code. `user` is `channel:id` of who says so, default `sdk`.
   * @throws {AssistantError} `FORBIDDEN` when `user` is not the owner; `NOT_FOUND`; `CONFLICT` when it was answered before; `GONE` when it is too old.
   */
  approve(code: string, by?: { readonly user?: string }): Promise<PersonView>;
  /** Does not, and lets them not ask again for 24 hours. @throws {AssistantError} As `approve`. */
  deny(code: string, by?: { readonly user?: string }): Promise<AskedView>;
  /**
   * Takes access back, by the `key` of an entry, or by `channel:id` on every account. Without `user` the host program itself does.
   * @returns The keys of what was removed. @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN`; `CONFLICT` for somebody whom the configuration names.
   */
  remove(keyOrUser: string, by?: { readonly user?: string }): Promise<readonly string[]>;
  /** A new code for `/owner CODE`, which holds for an hour; the one before is dead. `null` when somebody is the owner. */
  ownerCode(): Promise<string | null>;
}

/** What the HTTP door uses: there the token says who answers. */
export type AccessPart = Pick<Access, "list" | "approve" | "deny" | "remove">;

/** Of an access part. */
export interface AccessPartDeps {
  /** Waits until the assistant runs: what is said has to be sent. */
  start(): Promise<void>;
  /** Ends what goes on for a person, `channel:id`, who may not write any more. Default: nothing does. */
  onRemoved?(user: string): Promise<void>;
}

export function createAccessApi(access: AccessPart & Pick<Access, "ownerCode">, deps: AccessPartDeps): AccessApi {
  const { approve, deny, remove } = createAccessPart(access, deps);
  return {
    list: access.list,
    // Field by field: what the host passes on from elsewhere cannot make anybody the owner.
    approve: (code, { user } = {}) => approve(code, userOnly(user)),
    deny: (code, { user } = {}) => deny(code, userOnly(user)),
    remove: (keyOrUser, { user } = {}) =>
      remove(keyOrUser, user === undefined ? { user: "sdk", asOwner: true } : { user }),
    ownerCode: access.ownerCode,
  };
}

/** As `createAccessApi`, for a door that knows who answers. */
export function createAccessPart(access: AccessPart, { start, onRemoved }: AccessPartDeps): AccessPart {
  const { list, deny } = access;
  return {
    list,
    async approve(code, by) {
      await start();
      return access.approve(code, by);
    },
    deny,
    async remove(keyOrUser, by) {
      const { people } = await list();
      const keys = await access.remove(keyOrUser, by);
      // The key of an owner is who they are.
      for (const { key, user } of [...people, { key: keyOrUser, user: keyOrUser }])
        if (keys.includes(key)) await onRemoved?.(user);
      return keys;
    },
  };
}

function userOnly(user: string | undefined): Answerer {
  return user === undefined ? {} : { user };
}
