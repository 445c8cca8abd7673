import type { Access, Answerer } from "./access.ts";
import type { AccessView, AskedView, PersonView } from "./views.ts";

/** `assistant.access`: people who are let in besides those in the configuration. Source: docs/access.md. */
export interface AccessApi {
  /** Lists people who ask to be let in, people who are, and owners from a code. */
  list(): Promise<AccessView>;
  /**
   * Lets in the person with this code. `user`: the person who decides, as `channel:id`, default `sdk`.
   * @throws {AssistantError} `FORBIDDEN` if `user` is not the owner; `NOT_FOUND`; `CONFLICT` if it was answered
   * before; `GONE` if it is too old.
   */
  approve(code: string, by?: { readonly user?: string }): Promise<PersonView>;
  /**
   * Denies a request. The person cannot ask again for 24 hours.
   * @throws {AssistantError} As `approve`.
   */
  deny(code: string, by?: { readonly user?: string }): Promise<AskedView>;
  /**
   * Takes access back, by the `key` of an entry, or by `channel:id` on every account. Without `user`,
   * the host program itself decides.
   * @returns The keys of the removed entries.
   * @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN`; `CONFLICT` for a person in the configuration.
   */
  remove(keyOrUser: string, by?: { readonly user?: string }): Promise<readonly string[]>;
  /**
   * Returns a new code for `/owner CODE`, valid for an hour; it replaces the previous
   * one. `null` if there is an owner.
   */
  ownerCode(): Promise<string | null>;
}

/** The functions for the HTTP door, where the token identifies the person who answers. */
export type AccessPart = Pick<Access, "list" | "approve" | "deny" | "remove">;

/** What an access part needs. */
export interface AccessPartDeps {
  /** Waits until the assistant runs, so that messages can be sent. */
  start(): Promise<void>;
  /** Ends running work for a user (`channel:id`) who may no longer write. Default: nothing. */
  onRemoved?(user: string): Promise<void>;
}

export function createAccessApi(access: AccessPart & Pick<Access, "ownerCode">, deps: AccessPartDeps): AccessApi {
  const { approve, deny, remove } = createAccessPart(access, deps);
  return {
    list: access.list,
    // Copied field by field, so that input which the host passes on cannot claim to be the owner's.
    approve: (code, { user } = {}) => approve(code, userOnly(user)),
    deny: (code, { user } = {}) => deny(code, userOnly(user)),
    remove: (keyOrUser, { user } = {}) =>
      remove(keyOrUser, user === undefined ? { user: "sdk", asOwner: true } : { user }),
    ownerCode: access.ownerCode,
  };
}

/** Like `createAccessApi`, for a door that knows who answers. */
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
      // An owner's key is their `channel:id`.
      for (const { key, user } of [...people, { key: keyOrUser, user: keyOrUser }])
        if (keys.includes(key)) await onRemoved?.(user);
      return keys;
    },
  };
}

function userOnly(user: string | undefined): Answerer {
  return user === undefined ? {} : { user };
}
