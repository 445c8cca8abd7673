/** This build, which has no HTML parser of its own, has no types. It exports the same as the main build. */
declare module "turndown/lib/turndown.browser.es.js" {
  import Turndown from "turndown";
  export default Turndown;
}
