import { simplified } from "./simplified.ts";

const CODE =
  /```[\s\S]*?(?:```|(?![\s\S]))|`[^`\n]*`|^\s*>.*$|^\s*<\/?\w[^>\n]*>.*$|^.*\w(?:\(["']|["']\);?$).*$|^\s*(?:\/[/*]|[{[]\s*["{]|(?:const|let|var|export|return)\b.*[={;]|[\w.]+ = ["'\d[{]|select .+ from |insert into |echo ["']|(?:\$ |(?:git|npm|pip|docker|sudo|curl|grep) .*\B-)).*$|^.*[♪♫🎵🎶].*$/gimu;
/** Every piece of code has one of these characters or words: a cheap test before `CODE`. */
const MAY_BE_CODE = /[`<>=;{$/[♪♫🎵🎶-]|\(["']|["']\);?$|select|insert|echo/imu;
/** A single name in backticks (`pnpm`) stays: it is often the object of a preference. */
const NAME_AS_CODE = /^`[\w@/.+:#-]{1,40}`$/;
/** A line from which on another person speaks. */
const PASSED_ON =
  /^[^\p{L}\p{N}\n]*(?:(?:begin |start of )?(?:forwarded|fwd?|original message)\b|dear (?:mrs?|ms|miss|dr|prof\w*|sirs?|madam|hiring|team)\b|尊敬的|(?:请|麻烦)?(?:帮我)?(?:翻译|润色|改写|校对)(?:一下|成英[文语])? (?=我)|(?:from|sent|subject) ?[:：]|on .{3,80} wrote ?:|(?:\w+ ){0,5}(?:transcript|chat log|conversation log|lyrics)\b.{0,40}:|转发|原始?邮件|原文|引用|发件人|寄件[者人]|主[题旨]\s*[:：]|.{0,8}(?:聊天|对话|会议|通话)记录|.{0,6}歌词)/imu;
/** A chat line as programs copy it: its time and its speaker. */
const CHAT_LINE =
  /^\s*(?:\[[^\]\n]{0,24}\d{1,2}[:.]\d{2}[^\]\n]{0,12}\] ?[^:：\n]{1,40}[:：]|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4},? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?(?: [-–])? [^:：\n]{1,40}[:：]|\d{1,2}:\d{2}(?::\d{2})? <[^>\n]{1,30}> |[^\n,:：]{1,40}, \[[^\]\n]{0,24}\d{1,2}:\d{2}[^\]\n]{0,12}\]:?\s*$|\p{Lu}\S*(?:(?: \p{Lu}\S*){0,2} {2,}| \p{Lu}\S* )\d{1,2}:\d{2}(?: ?[AaPp][Mm])?[ \t]*\n)/mu;
/** Quotations, which are not the sender's own words. A short one without a first-person word is a name and stays. */
const QUOTED =
  /"[^"\n]{16,}"|“[^”\n]{16,}”|"(?=[^"\n]*(?:\b(?:i|my|me|we|our)\b|我))[^"\n]+"|“(?=[^”\n]*(?:\b(?:i|my|me|we|our)\b|我))[^”\n]+”|「[^」\n]{5,}」|『[^』\n]+』|《[^》\n]+》|(?=[“"][^”"]*\p{Script=Han})[“"][^”"\n]{5,}[”"]|(?<![\p{L}\p{N}])['‘](?=[^\n]{0,99}\b(?:I|my|we)\b)(?:[^'’\n]|(?<=\p{L})['’](?=\p{L})){4,}['’](?!\p{L})/giu;
/**
 * A request such as `translate this`. What follows is its material, unless the words after the verb tell what the
 * person does: `我喜欢写作`. At each place one alternative fits.
 */
const MATERIAL =
  /^[^\p{L}\p{N}]*(?:please |can you |could you )*(?:translate|proofread|fix|check|explain|re(?:write|phrase|draft|view)|paraphrase|summar\w+|correct|edit|polish|analy[sz]e|classify|write|draft|improve|shorten|(?:put|turn|make) (?:this|that|it|the following) (?:in)?to|how do (?:i|you) say)\b[^.!?\n:：]*|^(?:[^:：\p{L}\p{N}]|(?!我|[帮给替]我)\p{Script=Han}|[帮给替]我|我(?:想让|(?:需?要|想)(?=翻译|润色|改写|校对)|(?!想让)[^我请帮。！？\n:：]{0,40}[请帮]))*(?:把|翻译|改(?!一下?[:：，]|成|为|用|到|签|期)|修改|检查|润色|总结|概括|写|校对|分析|解释)[^。！？\n:：]*/iu;

const BELOW = /\b(?:below|following)\b|下面|以下/i;

/**
 * Returns what the sender says in a text: without code, song lines, quoted or forwarded text, and the material of a
 * request. Quotations become `""`.
 */
export function ownWords(text: string): string {
  const own = MAY_BE_CODE.test(text) ? text.replace(CODE, (code) => (NAME_AS_CODE.test(code) ? code : " ")) : text;
  const passedOn = Math.min(...[PASSED_ON, CHAT_LINE].map((line) => line.exec(simplified(own))?.index ?? own.length));
  const material = MATERIAL.exec(simplified(own));
  const behind = own.slice(material?.[0].length);
  const isMaterial =
    material && (/^\s*[:：\n]/.test(behind) || (BELOW.test(material[0]) && /^[.。]\s*\n/.test(behind)));
  return own.slice(0, isMaterial ? Math.min(material[0].length, passedOn) : passedOn);
}

export function withoutQuotations(sentence: string): string {
  return sentence.replace(QUOTED, '""');
}
