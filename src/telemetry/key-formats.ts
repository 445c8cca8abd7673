/**
 * A format of keys that is recognized by its form. It is tried only where one of its anchors occurs, so a text
 * without anchors costs one pass.
 *
 * To stay linear on every text, `pattern` starts at a character outside its own run of characters (see `before`) or at
 * a fixed text that its run cannot contain, and no part of it can match a text in two ways.
 */
export interface KeyFormat {
  readonly name: string;
  /** Fixed strings of two or more characters, in their exact case. */
  readonly anchors: readonly string[];
  /**
   * Regular expression that is tried at the anchor. A capture group marks the secret within the match; without one
   * the whole match is secret.
   */
  readonly pattern: string;
  /**
   * Characters before the anchor that belong to the key: the match starts this many characters earlier, or before all
   * preceding digits.
   */
  readonly before?: number | "digits";
}

const WORD = "[A-Za-z0-9_-]";
/**
 * Not in the middle of a longer word. Escapes of JSON and URLs before it, such as `\\n`, `%3D` and `\\u0026`, are not
 * part of the word.
 */
const ALONE = `(?:(?<!${WORD})|(?<=\\\\[nrtbf]|%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}))`;
/** A run that contains a digit: ordinary words and names of packages have none. */
const DIGIT_AHEAD = `(?=[A-Za-z_-]{0,256}[0-9])`;

/**
 * The value assigned to a name in settings, code and headers, if it looks random: a digit and a letter in one long
 * run, and no call or path of a program behind it.
 */
const ASSIGNED =
  "\\\\?[\"'`]?\\s?(?:=>|[=:])\\s?\\\\?[\"'`]?((?=[A-Za-z+/_~=-]{0,256}[0-9])(?=[0-9+/_~=-]{0,256}[A-Za-z])[A-Za-z0-9+/_~=-]{16,})(?![(.\\[A-Za-z0-9+/_~=-])";

/** Matches the prefix, then a run of letters, digits, `_` and `-`. */
function prefixed(name: string, prefixes: string, least: number, run = "[A-Za-z0-9_-]"): KeyFormat {
  const anchors = prefixes.split(" ");
  const starts = anchors.map((anchor) => anchor.replaceAll(".", "\\.")).join("|");
  return { name, anchors, pattern: `${ALONE}(?:${starts})${DIGIT_AHEAD}${run}{${least},}` };
}

/**
 * All key formats, as the services document them.
 *
 * Source: docs/redaction.md, "What is recognised by its looks".
 */
export const KEY_FORMATS: readonly KeyFormat[] = [
  prefixed("OpenAI, Anthropic and others", "sk-", 20),
  prefixed("GitHub", "ghp_ gho_ ghu_ ghs_ ghr_", 20),
  prefixed("GitHub, fine-grained", "github_pat_", 20),
  prefixed("GitLab", "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas-", 16),
  prefixed("npm", "npm_", 30, "[A-Za-z0-9]"),
  prefixed("PyPI", "pypi-AgE", 40),
  prefixed("Slack", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", 10),
  prefixed("Stripe", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", 16),
  prefixed("Google API", "AIza", 30),
  prefixed("Google client secret", "GOCSPX-", 20),
  prefixed("Google access token", "ya29.", 20, "[A-Za-z0-9_.-]"),
  prefixed("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", 40, "[0-9a-f]"),
  prefixed("Docker", "dckr_pat_ dckr_oat_", 20),
  prefixed("Shopify", "shpat_ shpca_ shppa_ shpss_", 30, "[0-9a-fA-F]"),
  prefixed("Hugging Face", "hf_", 30, "[A-Za-z0-9]"),
  prefixed("Groq, xAI, Perplexity, Replicate", "gsk_ xai- pplx- r8_", 30),
  prefixed("Linear, Notion, Supabase", "lin_api_ ntn_ sbp_", 30, "[A-Za-z0-9]"),
  prefixed("Grafana, Sentry, New Relic", "glsa_ sntrys_ NRAK-", 20, "[A-Za-z0-9_=+/-]"),
  prefixed("HashiCorp Vault", "hvs. hvb.", 24),
  prefixed("Databricks", "dapi", 32, "[0-9a-f]"),
  prefixed("Atlassian", "ATATT3", 40, "[A-Za-z0-9_=-]"),
  prefixed("age", "AGE-SECRET-KEY-1", 40, "[A-Z0-9]"),
  { name: "AWS key id", anchors: ["AKIA", "ASIA"], pattern: `${ALONE}(?:AKIA|ASIA)[A-Z0-9]{16}(?!${WORD})` },
  { name: "Twilio API key", anchors: ["SK"], pattern: `${ALONE}SK[0-9a-f]{32}(?!${WORD})` },
  { name: "SendGrid", anchors: ["SG."], pattern: `${ALONE}SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}` },
  {
    name: "Azure client secret",
    anchors: ["7Q~", "8Q~"],
    pattern: `(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}`,
    before: 3,
  },
  {
    name: "Cloudflare origin key",
    anchors: ["v1.0-"],
    pattern: `${ALONE}v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}`,
  },
  {
    name: "Telegram",
    anchors: ["0:", "1:", "2:", "3:", "4:", "5:", "6:", "7:", "8:", "9:"],
    pattern: "(?<![0-9])[0-9]{6,16}:(?=[A-Za-z_-]{0,64}[0-9])(?=[a-z0-9_-]{0,64}[A-Z])[A-Za-z0-9_-]{30,}",
    before: "digits",
  },
  {
    name: "JSON Web Token",
    anchors: ["eyJ"],
    pattern: `${ALONE}eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*`,
  },
  {
    name: "private key",
    anchors: ["-----BEGIN"],
    pattern:
      "-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\\s\\\\:,]*(?:-[A-Za-z0-9][A-Za-z0-9+/=\\s\\\\:,]*){0,8}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|-{1,5}(?:E(?:N(?:D[A-Z0-9 ]{0,45}-{0,4})?)?)?$)?",
  },
  {
    name: "password in a URL",
    anchors: ["://"],
    pattern: ":\\/\\/[^\\s:/@\"'<>]{0,256}:([^\\s/@\"'<>]{1,256})(?=@)",
  },
  {
    name: "Slack webhook",
    anchors: ["hooks.slack.com/"],
    pattern: "hooks\\.slack\\.com\\/(?:services|workflows|triggers)\\/([A-Za-z0-9/]{20,})",
  },
  {
    name: "Discord webhook",
    anchors: ["/api/webhooks/"],
    pattern: "\\/api\\/webhooks\\/[0-9]{10,24}\\/([A-Za-z0-9_-]{40,})",
  },
  {
    name: "bearer token",
    anchors: ["earer "],
    pattern: "(?<=[Bb])earer ((?=[A-Za-z._~+/=-]{0,256}[0-9]|[A-Za-z._~+/=-]{32})[A-Za-z0-9._~+/=-]{8,})",
  },
  {
    name: "authorization header",
    anchors: ["uthorization"],
    pattern:
      "(?<=[Aa])uthorization[\"']?\\s?[:=]\\s?[\"']?(?:(?:[Bb]asic|[Bb]ot|[Tt]oken|[Bb]earer) )?((?=[A-Za-z._~+/=-]{0,256}[0-9])[A-Za-z0-9._~+/=:-]{8,})",
  },
  {
    name: "cookie header",
    anchors: ["ookie:"],
    pattern: "(?<=[Cc])ookie: ?((?:[A-Za-z0-9_.-]{1,128}=[^\\s;,\"']{8,4096}(?:; )?){1,64})",
  },
  {
    name: "signature of an Azure address",
    anchors: ["sig="],
    pattern: "(?<=[?&])sig=([A-Za-z0-9%+/=]{40,})",
  },
  {
    name: "secret by its name",
    anchors: "ecret SECRET oken TOKEN assword PASSWORD asswd PASSWD".split(" "),
    pattern: `(?<!(?:[Pp]age|[Nn]ext|[Ss]ync|[Cc]ontinuation|[Cc]ancellation)[_-]?[Tt])(?:ecret|SECRET|oken|TOKEN|assword|PASSWORD|asswd|PASSWD)${ASSIGNED}`,
  },
  {
    name: "key by its name",
    anchors: "_key -key _KEY Key apikey APIKEY".split(" "),
    pattern: `(?:(?<=[Aa]pi|API|[Aa]ccess|ACCESS|[Ss]ecret|SECRET|[Pp]rivate|PRIVATE|[Aa]ccount|ACCOUNT|[Ss]igning|SIGNING|[Ee]ncryption|ENCRYPTION|[Mm]aster|MASTER|[Aa]uth|AUTH)(?:[_-]key|_KEY|Key)|apikey|APIKEY)${ASSIGNED}`,
  },
];
