/** Why the sign-in form is shown again. */
export type SignInProblem = "wrongToken" | "throttled" | "metricsToken";

/** What every page is told. */
export interface PageRequest {
  /** What the assistant is called. */
  readonly name: string;
  /** The header `Accept-Language`. */
  readonly language: string | null;
}

/** The page at `/`, as HTML. */
export interface ChatPage {
  /** For someone who is signed in. `installs`: there is something that skills are installed from. */
  chat(
    request: PageRequest & { readonly role: "owner" | "user"; readonly user?: string; readonly installs: boolean },
  ): Promise<string>;
  /** The form that asks for a token. `configured`: false when the server has none. */
  signIn(
    request: PageRequest & { readonly configured: boolean; readonly problem?: SignInProblem | undefined },
  ): Promise<string>;
  /** Lets the page run its own script and style and nothing else. Source: https://www.w3.org/TR/CSP3/. */
  policy(): Promise<string>;
}
