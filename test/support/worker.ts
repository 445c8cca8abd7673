import { DurableObject } from "cloudflare:workers";

/** An empty object whose storage and alarm the workerd tests drive through `runInDurableObject`. */
export class Box extends DurableObject {
  onAlarm: (() => Promise<void>) | undefined;

  override async alarm(): Promise<void> {
    await this.onAlarm?.();
  }
}

export default {
  fetch: () => new Response("test worker"),
};
