import { fakeAssistant, routesOf } from "../../http/support.ts";

/** Ways to write a path that some routers and some checks read differently. */
export function spellings(path: string): string[] {
  const rest = path.slice(1);
  const last = path.lastIndexOf("/");
  const [parent, name] = [path.slice(0, last), path.slice(last + 1)];
  return [
    path,
    `${path}/`,
    `//${rest}`,
    `/${path}`,
    path.replaceAll("/", "//"),
    `${parent}//${name}`,
    `${parent}/./${name}`,
    `${parent}/x/../${name}`,
    `${parent}/%2e/${name}`,
    `${parent}/x/%2e%2e/${name}`,
    `${parent}%2f${name}`,
    `${parent}%2F${name}`,
    `${parent}%252f${name}`,
    `${parent}\\${name}`,
    `${parent}%5c${name}`,
    `${path}.`,
    `${path}%2e`,
    `${path};x=y`,
    `${parent};x=y/${name}`,
    `${path}%3b`,
    `${path}%00`,
    `${path}%20`,
    `${path}%09`,
    `${path}%0a`,
    `${path}#x`,
    `${path}?`,
    `${path}?/healthz`,
    path.toUpperCase(),
    `${parent}/${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    `${parent}/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
    `${parent}/%25${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
    `${path}%`,
    `${path}%zz`,
    `${path}\u00e9`,
    `/healthz/..${path}`,
    `/healthz/%2e%2e${path}`,
    `/healthz;/..${path}`,
    `/webhooks/memory/..${path}`,
    `/webhooks/memory/%2e%2e/%2e%2e${path}`,
    `/webhooks/%2e%2e${path}`,
    `/page/..${path}`,
  ].filter((spelling) => spelling.startsWith("/"));
}

/** The guarded routes, with a value for each parameter, and whether any of their handlers ran. */
export function watched() {
  const reached: string[] = [];
  const touch = (name: string) => async (): Promise<never> => {
    reached.push(name);
    throw new Error(name);
  };
  const parts = {
    send: touch("send"),
    submit: touch("submit"),
    explainContext: touch("explainContext"),
    sessions: {
      list: touch("list"),
      show: touch("show"),
      remove: touch("remove"),
      export: touch("export"),
      summaries: touch("summaries"),
      editSummary: touch("editSummary"),
      settings: touch("settings"),
      configure: touch("configure"),
      conversations: touch("conversations"),
    },
  };
  const fake = fakeAssistant({ parts });
  const text = fake.parts.metrics.text;
  const guarded = routesOf(fake.parts).filter(({ access }) => access !== "public");
  const paths = [...new Set(guarded.map(({ path }) => path.replace(/:[a-z]+/g, "sdk:work")))];
  return { ...fake, reached, paths, text };
}
