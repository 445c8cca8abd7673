/**
 * Serves assistants on Cloudflare Workers: one Durable Object holds one tenant's assistant, with its SQLite storage as
 * the store and its alarm as the engine.
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

/** The members that the platform calls on the class made by `assistantObject`. */
export interface AssistantObject {
  /** Answers a request with this object's assistant, which the first request creates. */
  fetch(request: Request): Promise<Response>;
  /** The platform calls it when the object's alarm is due. Runs the wakes of the engine. */
  alarm(): Promise<void>;
}

/** All options except those that the object sets itself: store and engine. */
export type ObjectOptions = Omit<AssistantOptions, "store" | "engine">;

/** The class that a Worker exports. */
export type AssistantObjectClass<Env> = new (state: AssistantObjectState, env: Env) => AssistantObject;

/** Creates the assistant's options from the Worker's environment. Called once in the life of an object. */
export type OptionsOf<Env> = (env: Env) => ObjectOptions | Promise<ObjectOptions>;

/**
 * Creates the Durable Object class of an assistant. Export it from the Worker under the class name of the binding, with `new_sqlite_classes`.
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
      // Cloudflare's edge sets this header; a client cannot choose it.
      return assistant.fetch(request, { remoteAddress: request.headers.get("cf-connecting-ip") ?? undefined });
    }

    async alarm(): Promise<void> {
      try {
        const { engine } = await this.#wake();
        await engine.alarm();
      } catch (error) {
        // Cloudflare drops an alarm after six failures in a row. All due work would then wait until a message arrives.
        // oxlint-disable-next-line no-console -- there may be no logger yet
        console.error(error);
        await this.#state.storage.setAlarm(Date.now() + RETRY_MS);
      }
    }

    /**
     * Creates the assistant at the first request or alarm. A failure is not cached, so that a corrected secret works
     * without a new object.
     */
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

/** The part of a Durable Object namespace that is used. */
export interface AssistantNamespace {
  /** Returns the id of the object of that name. The same name always gives the same id. */
  idFromName(name: string): unknown;
  /** Returns a stub of the object with that id. The first request to it creates the object. */
  get(id: never): { fetch(request: Request): Promise<Response> };
}

/** Milliseconds until the next alarm after the assistant could not be created. */
const RETRY_MS = 60_000;

/** Options of `worker`. */
export interface WorkerOptions {
  /** Name of the Durable Object binding in the Worker's environment. Default `ASSISTANT`. */
  readonly binding?: string;
  /**
   * Returns the tenant of a request. Each tenant has its own object, which no other tenant's requests reach.
   * Contract: tells tenants apart by something that a stranger cannot choose (a host name, a path that a secret
   * guards). Default: one tenant, `main`.
   */
  tenant?(request: Request): string | Promise<string>;
}

/**
 * The Worker in front of the objects: passes every request to the tenant's object.
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
      // Only the namespace's own type describes the id that it made.
      return namespace.get(id as never).fetch(request);
    },
  };
}
