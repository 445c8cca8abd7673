/** Why the sign-in form is shown again. */
export type SignInProblem = "wrongToken" | "throttled" | "metricsToken";

/** Input of every page. */
export interface PageRequest {
  /** The assistant's name. */
  readonly name: string;
  /** The header `Accept-Language`. */
  readonly language: string | null;
}

/** The page at `/`, as HTML. */
export interface ChatPage {
  /** The chat page for a signed-in person. `installs`: whether skills can be installed. */
  chat(
    request: PageRequest & { readonly role: "owner" | "user"; readonly user?: string; readonly installs: boolean },
  ): Promise<string>;
  /** The sign-in form. `configured`: whether the server has a token. */
  signIn(
    request: PageRequest & { readonly configured: boolean; readonly problem?: SignInProblem | undefined },
  ): Promise<string>;
  /**
   * The Content-Security-Policy, which allows only the page's own script and style.
   * Source: https://www.w3.org/TR/CSP3/.
   */
  policy(): Promise<string>;
}
