import { html, raw } from "hono/html";
import { CLIENT_SCRIPT } from "./client-script.ts";
import { STYLE } from "./style.ts";
import type { ChatPage, SignInProblem } from "../chat-page.ts";
import { type PageTexts, textsFor } from "./texts.ts";
import { digestOf } from "../../hash.ts";

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%230d6357'/%3E%3Ccircle cx='8' cy='8' r='3' fill='%23fff'/%3E%3C/svg%3E";

// The policy contains the hashes of exactly these texts, so their elements must contain nothing else.
const SCRIPT_ELEMENT = raw(`<script>${CLIENT_SCRIPT}</script>`);
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`);

/** For the option `server.page`. Source: docs/page.md. */
export const chatPage: ChatPage = {
  chat: ({ name, language, ...who }) => chat(name, textsFor(language), who),
  signIn: ({ name, language, ...options }) => signIn(name, textsFor(language), options),
  policy,
};

function chat(
  name: string,
  texts: PageTexts,
  {
    role,
    user = "",
    installs,
  }: { readonly role: "owner" | "user"; readonly user?: string; readonly installs: boolean },
): Promise<string> {
  return wholePage(
    name,
    texts,
    html`<body data-texts="${JSON.stringify(texts.script)}" data-role="${role}" data-user="${user}">
      <a class="skip" href="#text">${texts.skip}</a>
      <header>
        <div>
          <button
            type="button"
            class="quiet"
            id="list-toggle"
            aria-label="${texts.conversations}"
            aria-controls="side"
            aria-expanded="false"
            hidden
          >
            ☰
          </button>
          <h1>${name}</h1>
          <div class="actions">
            <button type="button" class="quiet" id="told" hidden>
              ${texts.told} <span id="told-count" class="count"></span>
            </button>
            <button type="button" class="quiet" id="attention">${texts.attention}</button>
            <button type="button" class="quiet" id="jobs" hidden>${texts.jobs}</button>
            <button type="button" class="quiet" id="workflows" hidden>${texts.workflows}</button>
            <button type="button" class="quiet" id="skills" hidden>${texts.skills}</button>
            <button type="button" class="quiet" id="memory" hidden>${texts.memory}</button>
            <button type="button" class="quiet" id="metrics" hidden>${texts.metrics}</button>
            <button type="button" class="quiet" id="new">${texts.newConversation}</button>
            <form method="post" id="sign-out">
              <button class="quiet">${texts.signOut}</button>
            </form>
          </div>
        </div>
      </header>
      <div class="rooms">
        <nav id="side" aria-label="${texts.conversations}" hidden>
          <ul id="conversations"></ul>
          <button type="button" class="quiet" id="older" hidden>${texts.older}</button>
        </nav>
        <main class="chat">
          <noscript><p>${texts.needsScript}</p></noscript>
          <div id="log" role="log" aria-label="${texts.conversation}" tabindex="0">
            <button type="button" class="quiet" id="earlier" hidden>${texts.older}</button>
            <p class="welcome">${texts.welcome}</p>
          </div>
          <footer>
            <div class="alert" id="alert" role="alert" hidden></div>
            <form id="composer">
              <label for="text" class="visually-hidden">${texts.message}</label>
              <textarea
                id="text"
                rows="1"
                placeholder="${texts.placeholder}"
                aria-describedby="hint"
                autocomplete="off"
              ></textarea>
              <button id="send">${texts.send}</button>
              <button type="button" class="quiet" id="stop" hidden>${texts.stop}</button>
            </form>
            <div class="below">
              <p id="status" role="status"></p>
              <p id="hint" class="hint">${texts.hint}</p>
            </div>
          </footer>
        </main>
      </div>
      <dialog id="told-view" aria-labelledby="told-title">
        <div class="top">
          <h2 id="told-title">${texts.told}</h2>
          <button type="button" class="quiet" id="told-close">${texts.close}</button>
        </div>
        <p id="told-none" class="hint">${texts.toldNone}</p>
        <ul id="told-list"></ul>
        <button type="button" class="quiet" id="told-system" hidden>${texts.toldSystem}</button>
      </dialog>
      <dialog id="attention-view" class="wide" aria-labelledby="attention-title">
        <div class="top">
          <h2 id="attention-title">${texts.attention}</h2>
          <button type="button" class="quiet" id="attention-close">${texts.close}</button>
        </div>
        <label id="attention-whose" hidden
          >${texts.memoryWhose}
          <select id="attention-user"></select
        ></label>
        <p id="attention-muted"></p>
        <div class="answers" role="group" aria-label="${texts.attentionMute}">
          <button type="button" class="quiet" id="attention-mute">${texts.attentionMuteHours}</button>
          <button type="button" class="quiet" id="attention-tomorrow">${texts.attentionMuteTomorrow}</button>
          <button type="button" class="quiet" id="attention-unmute" hidden>${texts.attentionUnmute}</button>
        </div>
        <p id="attention-status" class="said" role="status"></p>
        <h3 id="attention-held-title">${texts.attentionHeld}</h3>
        <ul id="attention-held" class="notices" aria-labelledby="attention-held-title"></ul>
        <div id="attention-less" hidden>
          <h3 id="attention-types-title">${texts.attentionTypes}</h3>
          <ul id="attention-types" aria-labelledby="attention-types-title"></ul>
        </div>
        <h3 id="attention-decided-title">${texts.attentionDecided}</h3>
        <ul id="attention-decided" class="notices" aria-labelledby="attention-decided-title"></ul>
      </dialog>
      <dialog id="jobs-view" class="wide" aria-labelledby="jobs-title">
        <div class="top">
          <h2 id="jobs-title">${texts.jobs}</h2>
          <button type="button" class="quiet" id="jobs-close">${texts.close}</button>
        </div>
        <p id="jobs-status" class="said" role="status"></p>
        <p id="jobs-hint" class="hint"></p>
        <div id="jobs-list"></div>
      </dialog>
      <dialog id="workflows-view" class="wide" aria-labelledby="workflows-title">
        <div class="top">
          <h2 id="workflows-title">${texts.workflows}</h2>
          <button type="button" class="quiet" id="workflows-close">${texts.close}</button>
        </div>
        <p id="workflows-status" class="said" role="status"></p>
        <div id="workflows-lists">
          <h3 id="workflows-runs-title">${texts.workflowsRuns}</h3>
          <ul id="workflows-runs" aria-labelledby="workflows-runs-title"></ul>
          <h3>${texts.workflowsToRun}</h3>
          <div id="workflows-definitions"></div>
          <div id="workflows-new"></div>
        </div>
        <div id="workflows-run" hidden></div>
      </dialog>
      <dialog id="skills-view" class="wide" aria-labelledby="skills-title">
        <div class="top">
          <h2 id="skills-title">${texts.skills}</h2>
          <button type="button" class="quiet" id="skills-close">${texts.close}</button>
        </div>
        <p id="skills-status" class="said" role="status"></p>
        <div id="skills-suggested" hidden>
          <h3>${texts.skillsSuggested}</h3>
          <ul id="skills-suggestions"></ul>
        </div>
        <p id="skills-hint" class="hint"></p>
        <div id="skills-list"></div>
        <div id="skills-new"></div>
        ${installs ? registryPart(texts) : ""}
      </dialog>
      <dialog id="memory-view" class="wide" aria-labelledby="memory-title">
        <div class="top">
          <h2 id="memory-title">${texts.memory}</h2>
          <button type="button" class="quiet" id="memory-close">${texts.close}</button>
        </div>
        <form id="memory-search">
          <label id="memory-whose" hidden
            >${texts.memoryWhose}
            <select id="memory-user"></select
          ></label>
          <label for="memory-words" class="visually-hidden">${texts.memorySearch}</label>
          <input
            id="memory-words"
            type="search"
            maxlength="2000"
            placeholder="${texts.memorySearch}"
            autocomplete="off"
          />
          <button>${texts.memoryFind}</button>
          <label class="check"><input id="memory-archived" type="checkbox" /> ${texts.memoryArchive}</label>
        </form>
        <p id="memory-status" class="said" role="status"></p>
        <div id="memory-found"></div>
        <h3>${texts.memoryFiles}</h3>
        <div id="memory-files"></div>
      </dialog>
      <dialog id="metrics-view" class="wide" aria-labelledby="metrics-title">
        <div class="top">
          <h2 id="metrics-title">${texts.metrics}</h2>
          <div id="metrics-top">
            <button type="button" class="quiet" id="metrics-close">${texts.close}</button>
          </div>
        </div>
        <p id="metrics-status" class="said" role="status"></p>
        <div id="metrics-body"></div>
      </dialog>
      ${SCRIPT_ELEMENT}
    </body>`,
  );
}

function registryPart(texts: PageTexts) {
  return html`<div id="skills-registry" hidden>
    <h3>${texts.skillsRegistry}</h3>
    <form id="skills-search">
      <label for="skills-words" class="visually-hidden">${texts.skillsSearch}</label>
      <input id="skills-words" type="search" maxlength="500" placeholder="${texts.skillsSearch}" autocomplete="off" />
      <button>${texts.memoryFind}</button>
    </form>
    <div id="skills-found"></div>
  </div>`;
}

function signIn(
  name: string,
  texts: PageTexts,
  options: { configured: boolean; problem?: SignInProblem | undefined },
): Promise<string> {
  const { configured, problem } = options;
  // Without an action the form goes to the page's own address, which only the browser knows: a host program may have
  // stripped the path where it mounts the assistant. The hidden name lets password managers store the token.
  const form = html`<form method="post">
    <input type="text" name="username" autocomplete="username" value="${name}" hidden />
    <label for="token">${texts.token}</label>
    <input
      id="token"
      name="token"
      type="password"
      autocomplete="current-password"
      required
      autofocus
      aria-describedby="hint"
      ${problem ? raw('aria-invalid="true"') : ""}
    />
    <p class="hint" id="hint">${texts.tokenHint}</p>
    <button>${texts.signIn}</button>
  </form>`;
  return wholePage(
    name,
    texts,
    html`<body>
      <main class="sign-in">
        <h1>${name}</h1>
        ${problem ? html`<p class="alert" role="alert">${texts[problem]}</p>` : ""}
        ${configured ? form : html`<p role="alert" class="alert">${texts.noToken}</p>`}
      </main>
    </body>`,
  );
}

async function wholePage(name: string, texts: PageTexts, body: ReturnType<typeof html>): Promise<string> {
  const page = await html`<!doctype html>
    <html lang="${texts.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name}</title>
        <link rel="icon" href="${ICON}" />
        ${STYLE_ELEMENT}
      </head>
      ${await body}
    </html> `;
  return page.toString();
}

async function policy(): Promise<string> {
  return [
    "default-src 'none'",
    `script-src 'sha256-${await sha256Base64(CLIENT_SCRIPT)}'`,
    // The message box sets its own height through the CSS object model, which needs no permission here.
    `style-src 'sha256-${await sha256Base64(STYLE)}'`,
    "img-src data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

async function sha256Base64(text: string): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await digestOf(text))));
}
