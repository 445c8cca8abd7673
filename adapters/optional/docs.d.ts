/** Says what only the generated documentation needs. In bundles for Workers the text is dropped and this gives `undefined`. */
export function docs(text: string): string;
