/** The build without an HTML parser of its own has no types; it exports what the main one does. */
declare module "turndown/lib/turndown.browser.es.js" {
  import Turndown from "turndown";
  export default Turndown;
}
