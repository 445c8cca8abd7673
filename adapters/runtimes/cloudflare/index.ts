/**
 * Serves assistants on Cloudflare Workers: one Durable Object holds one tenant's assistant, with its SQLite storage as the store and its alarm as the engine.
 *
 * @module
 */
import { type Assistant, type AssistantOptions, createAssistant } from "../../../entry.workers.ts";
import {
  type DurableObjectEngineState,
  type DurableObjectsEngine,
  durableObjectsEngine,
} from "../../engines/durable-objects/index.ts";
import { type DurableObjectStateWithSql, durableObjectStore } from "../../storage/durable-object/index.ts";

/** The part of a Durable Object's state that is used. */
export type AssistantObjectState = DurableObjectStateWithSql & DurableObjectEngineState;

/** What the class made by `assistantObject` has for the platform to call. */
export interface AssistantObject {
  /** Answers a request with the assistant of this object, which is made at the first one. */
  fetch(request: Request): Promise<Response>;
  /** Called by the platform when the alarm of the object is due: runs the wakes of the engine. */
  alarm(): Promise<void>;
}

/** Everything but what the object brings itself: store and engine. */
export type ObjectOptions = Omit<AssistantOptions, "store" | "engine">;

/** The class that a Worker exports. */
export type AssistantObjectClass<Env> = new (state: AssistantObjectState, env: Env) => AssistantObject;

/** Makes the assistant's options from the Worker's environment; called once in the life of an object. */
export type OptionsOf<Env> = (env: Env) => ObjectOptions | Promise<ObjectOptions>;

/**
 * Makes the Durable Object class of an assistant: export it from the Worker under the name that the binding gives it, with `new_sqlite_classes`.
 *
 * Source: docs/deploy.md, "Cloudflare Workers".
 *
 * @example
 * ```ts
 * export const Assistant = assistantObject((env: Env) => ({ model: createOpenAI({ apiKey: env.OPENAI_API_KEY })("gpt-5"), server: { token: env.WAKEFUL_TOKEN } }));
 * export default worker({ binding: "ASSISTANT" });
 * ```
 */
export function assistantObject<Env>(options: OptionsOf<Env>): AssistantObjectClass<Env> {
  return class implements AssistantObject {
    readonly #state: AssistantObjectState;
    readonly #env: Env;
    #awake: Promise<{ assistant: Assistant; engine: DurableObjectsEngine }> | undefined;

    constructor(state: AssistantObjectState, env: Env) {
      this.#state = state;
      this.#env = env;
    }

    async fetch(request: Request): Promise<Response> {
      const { assistant } = await this.#wake();
      // Set by Cloudflare's edge; a client cannot choose it.
      return assistant.fetch(request, { remoteAddress: request.headers.get("cf-connecting-ip") ?? undefined });
    }

    async alarm(): Promise<void> {
      try {
        const { engine } = await this.#wake();
        await engine.alarm();
      } catch (error) {
        // Cloudflare gives an alarm up after six failures in a row, and with it all that is due until somebody writes.
        // oxlint-disable-next-line no-console -- there may be no logger yet
        console.error(error);
        await this.#state.storage.setAlarm(Date.now() + RETRY_MS);
      }
    }

    /** The assistant is made at the first request or alarm; a failure is not remembered, so that a mended secret works without a new object. */
    #wake(): Promise<{ assistant: Assistant; engine: DurableObjectsEngine }> {
      this.#awake ??= this.#make().catch((error: unknown) => {
        this.#awake = undefined;
        throw error;
      });
      return this.#awake;
    }

    async #make(): Promise<{ assistant: Assistant; engine: DurableObjectsEngine }> {
      const given = await options(this.#env);
      const { clock, logger } = given;
      const engine = durableObjectsEngine(this.#state, {
        ...(clock && { clock }),
        onError: (error, key) => logger?.error("A handler failed and will run again", { key, error: String(error) }),
      });
      const assistant = await createAssistant({ ...given, store: durableObjectStore(this.#state), engine });
      await assistant.start();
      return { assistant, engine };
    }
  };
}

/** A Durable Object namespace, as far as it is used. */
export interface AssistantNamespace {
  /** The id of the object of that name; the same name always gives the same id. */
  idFromName(name: string): unknown;
  /** A stub of the object with that id; the object begins to live with the first request to it. */
  get(id: never): { fetch(request: Request): Promise<Response> };
}

/** An alarm for which the assistant could not be made rings again after this. */
const RETRY_MS = 60_000;

/** Options of `worker`. */
export interface WorkerOptions {
  /** Name of the Durable Object binding in the Worker's environment. Default `ASSISTANT`. */
  readonly binding?: string;
  /**
   * Whose assistant a request is for; each tenant has an object of its own, which no other tenant's requests reach.
   * Contract: tells tenants apart by what a stranger cannot choose (a host name, a path that a secret guards). Default: one tenant, `main`.
   */
  tenant?(request: Request): string | Promise<string>;
}

/**
 * The Worker in front of the objects: it hands every request to the tenant's object.
 *
 * @throws {TypeError} At a request, when the environment has no such binding.
 */
export function worker(options: WorkerOptions = {}): { fetch(request: Request, env: unknown): Promise<Response> } {
  const { binding = "ASSISTANT", tenant = () => "main" } = options;
  return {
    async fetch(request, env) {
      const namespace = (env as Record<string, AssistantNamespace | undefined>)[binding];
      if (!namespace) {
        throw new TypeError(
          `The environment has no Durable Object binding ${JSON.stringify(binding)}: add it under durable_objects.bindings in wrangler.jsonc, with its class under migrations.new_sqlite_classes`,
        );
      }
      const id = namespace.idFromName(await tenant(request));
      // The namespace made this id: only its own type knows what it is.
      return namespace.get(id as never).fetch(request);
    },
  };
}
