/**
 * The page's style sheet. Each colour is a light/dark pair; text has a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3).
 */
export const STYLE: string = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#faf8f5, #161514);
  --raised: light-dark(#ffffff, #201e1c);
  --line: light-dark(#ddd6cc, #3a3632);
  --edge: light-dark(#8a8178, #7d766e);
  --ink: light-dark(#221e1a, #ece7e1);
  --soft: light-dark(#655d54, #aea69c);
  --accent: light-dark(#0d6357, #6fd0bd);
  --on-accent: light-dark(#ffffff, #10201d);
  --mine: light-dark(#e3efec, #20332f);
  --bad: light-dark(#a3241b, #ff9d92);
  --bad-ground: light-dark(#fbeae8, #3a1f1c);
  --good: light-dark(#1d6b34, #86d39b);
  --sum: light-dark(#6b3fa0, #c9a6f5);
  --sum-ground: light-dark(#f4eefb, #2a2138);
}
* { box-sizing: border-box; }
html { height: 100%; }
body {
  margin: 0; height: 100dvh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif;
}
h1, h2, h3, p { margin: 0; }
ul[id], .runs, ol { list-style: none; margin: 0; padding: 0; }
[hidden] { display: none !important; }
p, li, dd, strong, summary span, .title span, textarea, input { unicode-bidi: plaintext; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: .5rem; top: -4rem; z-index: 1; padding: .5rem .9rem; border-radius: .5rem; background: var(--accent); color: var(--on-accent); }
.skip:focus { top: .5rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

header { border-bottom: 1px solid var(--line); background: var(--raised); }
header > div { padding: .6rem 1rem; display: flex; gap: .75rem; align-items: center; justify-content: space-between; }
h1 { font-size: 1.0625rem; font-weight: 650; letter-spacing: -.01em; min-width: 0; overflow-wrap: anywhere; }
.actions { display: flex; gap: .5rem; flex: 0 1 auto; min-width: 0; overflow-x: auto; padding: .25rem; }
.actions > * { flex: none; }
button { font: inherit; font-size: .9375rem; min-height: 2.5rem; padding: .35rem 1rem; border-radius: .6rem; border: 1px solid transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
button.quiet { background: transparent; color: var(--ink); border-color: var(--edge); font-weight: 500; }
button.quiet:hover { background: var(--mine); filter: none; }
button[aria-disabled="true"], button:disabled, input:disabled { background: var(--line); color: var(--soft); cursor: default; filter: none; }

#list-toggle { flex: none; padding: .35rem .75rem; }
header h1 { flex: 1; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.rooms { flex: 1; min-height: 0; display: flex; position: relative; }
#side { width: 17rem; flex: none; overflow-y: auto; padding: .6rem; border-right: 1px solid var(--line); background: var(--raised); }
[data-list="closed"] #side { display: none; }
#side li { border-radius: .6rem; margin-bottom: .15rem; }
#side li:hover, #side li:focus-within, #side li:has([aria-current]) { background: var(--mine); }
#side button.title { display: block; width: 100%; text-align: left; background: none; color: var(--ink); font-weight: 500; padding: .45rem .65rem; filter: none; }
#side .title span { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
#side .title[aria-current] span { font-weight: 650; }
#side time { display: block; font-size: .8125rem; color: var(--soft); font-weight: 400; }
#side .more { display: none; gap: .4rem; padding: 0 .65rem .5rem; }
#side li:hover .more, #side li:focus-within .more, #side li:has([aria-current]) .more { display: flex; }
#side .more > *, #side #older { font-size: .8125rem; min-height: 2rem; padding: .2rem .65rem; }
#side #older { width: 100%; }
a.quiet { color: var(--ink); border: 1px solid var(--edge); border-radius: .6rem; text-decoration: none; display: inline-flex; align-items: center; font-weight: 500; }
a.quiet:hover { background: var(--ground); }
button.danger { background: var(--bad); color: var(--ground); }
dialog { border: 1px solid var(--edge); border-radius: .9rem; background: var(--raised); color: var(--ink); padding: 1.1rem 1.25rem; width: min(26rem, calc(100vw - 2rem)); }
dialog::backdrop { background: rgb(0 0 0 / .45); }
dialog h2 { font-size: 1.0625rem; }
dialog .name { margin-top: .4rem; overflow-wrap: anywhere; }
dialog .hint:empty { display: none; }
dialog .hint { color: var(--soft); font-size: .9375rem; margin: .3rem 0 .9rem; }
.answers { display: flex; flex-wrap: wrap; gap: .5rem; }
dialog .answers { justify-content: flex-end; }

main.chat { flex: 1; min-width: 0; min-height: 0; display: flex; flex-direction: column; }
#log { flex: 1; min-height: 0; overflow-y: auto; padding: 1.25rem 1rem; }
#log:focus-visible { outline-offset: -3px; }
#log > * { max-width: 46rem; margin: 0 auto 1.1rem; }
#earlier { display: block; }
.welcome { color: var(--soft); padding-top: 14vh; text-align: center; text-wrap: balance; max-width: 30rem !important; }
.message h2 { font-size: .8125rem; font-weight: 600; color: var(--soft); margin-bottom: .2rem; }
.message.user { display: flex; flex-direction: column; align-items: flex-end; }
.message.user .body { background: var(--mine); border-radius: .9rem .9rem .2rem .9rem; padding: .5rem .85rem; max-width: min(38rem, 88%); }
.message.note .body { color: var(--soft); font-size: .9375rem; border-left: 3px solid var(--line); padding-left: .75rem; }
.body p { white-space: pre-wrap; overflow-wrap: anywhere; }
.body p + p, .body pre + p, .body p + pre, .text + .text { margin-top: .6rem; }
.muted { color: var(--soft); font-style: italic; }
.failed > p, p.failed { color: var(--bad); }
code, pre { font-family: ui-monospace, "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
:not(pre) > code { background: var(--mine); border-radius: .3rem; padding: .1em .35em; overflow-wrap: anywhere; }
pre { margin: 0; padding: .65rem .8rem; overflow-x: auto; max-height: 24rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; line-height: 1.45; }
pre code { font-size: .8125rem; }

.tool { border: 1px solid var(--line); border-radius: .6rem; background: var(--raised); margin: .5rem 0; font-size: .9375rem; }
.tool summary { cursor: pointer; padding: .45rem .8rem; border-radius: .6rem; min-height: 2.25rem; overflow-wrap: anywhere; }
.tool summary code { background: none; padding: 0; font-weight: 600; }
.tool h3 { font-size: .8125rem; color: var(--soft); font-weight: 600; margin: .4rem .8rem .2rem; }
.tool pre { margin: 0 .8rem .7rem; background: var(--ground); white-space: pre-wrap; overflow-wrap: anywhere; }
.state { font-size: .8125rem; margin-left: .35rem; color: var(--soft); }
.done .state { color: var(--good); }
.failed .state { color: var(--bad); font-weight: 600; }

details.summary { border: 1px solid var(--sum); border-radius: .6rem; background: var(--sum-ground); font-size: .9375rem; }
.summary summary { cursor: pointer; padding: .45rem .8rem; color: var(--sum); font-weight: 600; }
.summary .mark { display: inline-block; min-width: 1.5rem; text-align: center; border-radius: .35rem; background: var(--sum); color: var(--sum-ground); font-weight: 700; }
.summary .body { padding: 0 .8rem .7rem; }
.summary textarea { background: var(--raised); }
.summary .body > button, .summary .answers { margin-top: .6rem; }
.reset { text-align: center; color: var(--soft); font-size: .8125rem; }

.approval { border: 2px solid var(--accent); border-radius: .6rem; background: var(--raised); margin: .5rem 0; padding: .7rem .8rem; font-size: .9375rem; }
.approval h3 { margin: 0 0 .4rem; font-size: .9375rem; font-weight: 600; overflow-wrap: anywhere; }
.approval h4 { margin: .5rem 0 .2rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.approval pre { max-height: none; background: var(--ground); white-space: pre-wrap; overflow-wrap: anywhere; }
.approval .answers { align-items: center; margin: .6rem 0 .3rem; }
.approval .answers input { flex: 1 1 12rem; width: auto; min-width: 0; }
.approval .hint, .approval .asker { color: var(--soft); font-size: .8125rem; }
.approval .outcome { font-weight: 600; margin-top: .4rem; }
.approval.failed .outcome { color: var(--bad); }
.approval.answered { border-color: var(--line); border-width: 1px; }

#skills-suggestions li, .found { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: start; gap: .5rem .75rem; border-bottom: 1px solid var(--line); padding: .5rem 0; font-size: .9375rem; overflow-wrap: anywhere; }
#skills-suggestions li > :first-child, .found > :first-child { flex: 1 1 14rem; min-width: 0; }
#skills-new, #workflows-new { margin-top: .6rem; }
#skills-new textarea, #workflows-new textarea { margin-bottom: .6rem; }
#skills-view textarea, #workflows-view textarea { font-family: ui-monospace, "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875rem; }
dialog .failed[role="alert"] { white-space: pre-line; }
.entry .body > p:first-child { margin-bottom: .3rem; }
#told-list { margin-bottom: .6rem; max-height: 60dvh; overflow-y: auto; }
#told-list li { display: flex; justify-content: space-between; align-items: start; gap: .75rem; border-bottom: 1px solid var(--line); padding: .5rem 0; overflow-wrap: anywhere; }
#told-list p { margin: 0; }
#told-list li > button { flex: none; }
#told-list .answers { justify-content: flex-start; margin-top: .4rem; }
#told-list .answers button { min-height: 2.25rem; }
#told-list .outcome { color: var(--soft); font-size: .9375rem; }
.notices, #attention-types { font-size: .9375rem; }
.notices li { border-bottom: 1px solid var(--line); padding: .45rem 0; overflow-wrap: anywhere; }
.notices time { color: var(--soft); font-size: .8125rem; }
.notices .why { color: var(--soft); font-size: .8125rem; }
.notices .dropped > p:not(.why) { color: var(--soft); }
#attention-types li { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .35rem .75rem; border-bottom: 1px solid var(--line); padding: .35rem 0; overflow-wrap: anywhere; }
#attention-view > .answers { justify-content: flex-start; margin-top: .5rem; }
#attention-whose { display: block; font-size: .9375rem; color: var(--soft); margin-bottom: .5rem; }
.count:not(:empty) { display: inline-block; min-width: 1.3rem; padding: 0 .35rem; border-radius: .7rem; background: var(--accent); color: var(--on-accent); font-size: .8125rem; text-align: center; }
dialog.wide { width: min(46rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); overflow-y: auto; }
dialog .top { display: flex; justify-content: space-between; align-items: center; gap: .75rem; margin-bottom: .6rem; }
#memory-search, #skills-search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
#memory-search > input, #skills-search > input { flex: 1 1 14rem; width: auto; min-width: 0; }
#memory-search label { font-size: .9375rem; color: var(--soft); }
#memory-search .check { display: inline-flex; align-items: center; gap: .4rem; min-height: 2.5rem; }
#memory-search .check input { width: 1.1rem; min-height: 1.1rem; }
select { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--edge); border-radius: .6rem; min-height: 2.5rem; padding: .35rem .6rem; max-width: 14rem; }
.said { color: var(--soft); font-size: .8125rem; min-height: 1.7rem; padding-top: .35rem; }
dialog.wide h3 { font-size: .9375rem; margin: 1rem 0 .4rem; }
details.entry { border: 1px solid var(--line); border-radius: .6rem; margin-bottom: .4rem; font-size: .9375rem; }
.entry summary { cursor: pointer; padding: .45rem .8rem; overflow-wrap: anywhere; border-radius: .6rem; }
.entry h4 { margin: .6rem 0 .2rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.entry summary .state + time { margin-left: .35rem; }
.runs { font-size: .8125rem; }
.runs li { overflow-wrap: anywhere; }
.entry summary time { color: var(--soft); font-size: .8125rem; margin-right: .3rem; }
.entry .body { padding: 0 .8rem .7rem; }
.entry .body pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); }
.entry dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .8rem; margin: .6rem 0; font-size: .8125rem; }
.entry dt { color: var(--soft); }
.entry dd { margin: 0; overflow-wrap: anywhere; }
.entry .answers { margin-top: .6rem; }
.entry .body .answers button { min-height: 2.25rem; }
#workflows-runs { font-size: .9375rem; }
button.row { display: grid; width: 100%; gap: .1rem; text-align: start; background: none; color: var(--ink); border-bottom: 1px solid var(--line); border-radius: 0; font-weight: 400; padding: .45rem .3rem; overflow-wrap: anywhere; filter: none; }
button.row:hover { background: var(--mine); }
.row progress { width: 100%; height: .4rem; accent-color: var(--accent); }
#workflows-view .why { color: var(--soft); font-size: .8125rem; overflow-wrap: anywhere; }
#workflows-view .pre { white-space: pre-wrap; overflow-wrap: anywhere; }
#workflows-run h3:focus { outline: none; }
#workflows-run .approval h3 { margin-top: 0; }
#workflows-run dd button { min-height: 2rem; padding: .1rem .6rem; }
.fields { display: grid; gap: .5rem; margin: .6rem 0; border: 0; padding: 0; min-width: 0; }
.fields label { font-size: .9375rem; overflow-wrap: anywhere; }
.fields legend { font-size: .8125rem; color: var(--soft); font-weight: 600; padding: 0; }
fieldset.fields { grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); }
.fields > button { justify-self: start; }
.field.check input { width: 1.1rem; min-height: 1.1rem; margin-left: .5rem; vertical-align: middle; }
.graph { overflow-x: auto; margin: .8rem 0; padding: .25rem; }
#workflows-view { width: min(62rem, calc(100vw - 2rem)); }
.graph > div { position: relative; }
.graph svg { position: absolute; inset: 0 auto auto 0; fill: none; stroke: var(--edge); stroke-width: 1.5; pointer-events: none; }
.graph ol { display: grid; grid-auto-columns: minmax(7.5rem, 13rem); gap: .8rem 2rem; align-items: center; }
.graph li { grid-column: var(--column); grid-row: var(--row); min-width: 0; align-self: stretch; display: grid; }
button.step { display: grid; position: relative; width: 100%; align-content: start; gap: .05rem; text-align: start; background: var(--ground); color: var(--ink); border: 1px solid var(--edge); border-inline-start: .35rem solid var(--edge); font-weight: 400; padding: .35rem .6rem; overflow-wrap: anywhere; filter: none; }
button.step:hover { background: var(--mine); }
button.step[aria-pressed="true"] { background: var(--mine); outline: 2px solid var(--accent); outline-offset: 1px; }
.step .state { margin: 0; }
.step .what { font-size: .8125rem; color: var(--soft); display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.step.pending, .step.skipped { border-style: dashed; border-inline-start-style: solid; }
.step.running, .step.waiting { border-color: var(--accent); }
.step.running .state, .step.waiting .state { color: var(--accent); }
.step.done { border-color: var(--good); }
.step.failed { border-color: var(--bad); }
#metrics-top { display: flex; gap: .5rem; }
.bars { width: 100%; border-collapse: collapse; font-size: .8125rem; margin-bottom: .8rem; }
.bars caption, figcaption { text-align: start; color: var(--soft); font-size: .8125rem; padding-bottom: .2rem; }
.bars th { font-weight: 400; text-align: start; width: 40%; padding: .15rem .6rem .15rem 0; overflow-wrap: anywhere; }
.bars .figure { text-align: end; white-space: nowrap; padding: .15rem .6rem .15rem 0; font-variant-numeric: tabular-nums; }
.bars .bar { width: 40%; }
.bars svg { display: block; width: 100%; height: .6rem; fill: var(--accent); }
.bars .bad svg { fill: var(--bad); }
figure { margin: 0 0 .8rem; }
.chart { display: block; width: 100%; height: 5rem; }
.chart .line { fill: none; stroke: var(--accent); stroke-width: 2; }
.chart .axis { stroke: var(--line); stroke-width: .5; }
.scale { display: flex; justify-content: space-between; margin: 0; color: var(--soft); font-size: .8125rem; }

footer { border-top: 1px solid var(--line); background: var(--raised); padding: .7rem 1rem max(.7rem, env(safe-area-inset-bottom)); }
footer > * { max-width: 46rem; margin: 0 auto; }
#composer { display: flex; gap: .6rem; align-items: flex-end; }
textarea, input { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--edge); border-radius: .6rem; padding: .45rem .75rem; width: 100%; min-height: 2.5rem; }
textarea { display: block; resize: vertical; }
#text { resize: none; max-height: 40dvh; flex: 1; min-width: 0; }
::placeholder { color: var(--soft); opacity: 1; }
.below { display: flex; justify-content: space-between; gap: 1rem; font-size: .8125rem; color: var(--soft); padding-top: .35rem; min-height: 1.7rem; }
#status.working::before { content: ""; display: inline-block; width: .5rem; height: .5rem; margin-right: .45rem; border-radius: 50%; background: var(--accent); animation: breathe 1.4s ease-in-out infinite; }
@keyframes breathe { 50% { opacity: .25; } }
.alert { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; justify-content: space-between; background: var(--bad-ground); color: var(--bad); border-radius: .6rem; padding: .5rem .8rem; margin-bottom: .6rem; overflow-wrap: anywhere; }

main.sign-in { margin: auto; width: min(26rem, 100%); padding: 1.25rem; }
main.sign-in h1 { font-size: 1.5rem; margin-bottom: 1.1rem; }
main.sign-in form { display: grid; gap: .55rem; }
main.sign-in label { font-weight: 600; font-size: .9375rem; }
main.sign-in .hint { color: var(--soft); font-size: .875rem; }
main.sign-in button { margin-top: .4rem; }
noscript p { max-width: 46rem; margin: 1rem auto; padding: .6rem .9rem; background: var(--bad-ground); color: var(--bad); border-radius: .6rem; }

@media (max-width: 52rem) {
  #side { position: absolute; inset: 0 auto 0 0; z-index: 1; width: min(20rem, 88vw); display: none; box-shadow: 0 0 2rem rgb(0 0 0 / .25); }
  [data-list="open"] #side { display: block; }
}
@media (max-width: 30rem) {
  .graph ol { gap: 1.6rem .6rem; grid-auto-columns: minmax(6.5rem, 1fr); }
  .graph li { grid-column: var(--row); grid-row: var(--column); }
  header > div { padding: .5rem; gap: .35rem; }
  .actions { gap: .35rem; }
  #log { padding: 1rem .75rem; }
  footer { padding-inline: .75rem; }
  button { padding-inline: .7rem; }
  .actions button { font-size: .8125rem; padding-inline: .5rem; }
  #new, #attention { font-size: 0; }
  #attention::before { content: "☾"; content: "☾" / ""; font-size: 1.125rem; }
  #new::before { content: "+"; content: "+" / ""; font-size: 1.25rem; }
  .below .hint { display: none; }
}
@media (max-width: 23rem) {
  .actions { gap: .15rem; }
  .actions button { font-size: .75rem; padding-inline: .2rem; }
  #list-toggle { padding-inline: .5rem; }
}
@media (prefers-reduced-motion: reduce) { #status.working::before { animation: none; } }
@media (forced-colors: active) { button, .tool, .approval, .summary, .entry, .message.user .body { border: 1px solid; } }
`;
