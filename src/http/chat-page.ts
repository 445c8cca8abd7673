import type * as Late from "./page/page.ts";

/** Why the sign-in form is shown again. */
export type SignInProblem = "wrongToken" | "throttled" | "metricsToken";

/** What every page is told. */
export interface PageRequest {
  /** What the assistant is called. */
  readonly name: string;
  /** The header `Accept-Language`. */
  readonly language: string | null;
}

/** The page at `/`, as HTML: `chatPage` of `wakeful/page`. */
export interface ChatPage {
  /** For someone who is signed in. */
  chat(request: PageRequest & { readonly role: "owner" | "user" }): Promise<string>;
  /** The form that asks for a token. `configured`: false when the server has none. */
  signIn(
    request: PageRequest & { readonly configured: boolean; readonly problem?: SignInProblem | undefined },
  ): Promise<string>;
  /** Lets the page run its own script and style and nothing else. Source: https://www.w3.org/TR/CSP3/. */
  policy(): Promise<string>;
}

/** `undefined` where nothing is loaded on demand (Workers). */
export async function loadChatPage(): Promise<ChatPage | undefined> {
  const { chatPage }: Partial<typeof Late> = await import("#late/http/page/page");
  return chatPage;
}
