/** What only documentation needs: kept here, dropped from bundles (no-docs.js). */
export function docs(text) {
  return text;
}
