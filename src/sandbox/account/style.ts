/** The stylesheet of the pages: system fonts, light and dark, from 320 px up. */
export const style = `
:root { color-scheme: light dark; --ground: #f3f1f7; --card: #fff; --ink: #1d1a2a; --soft: #5a5569; --line: #dfdbe8; --field: #8a8499;
  --accent: #4b3fbf; --strong: #352b98; --on: #fff; --tint: #efedfb; --bad: #a3232b; --bad-tint: #fdeeee; }
@media (prefers-color-scheme: dark) { :root { --ground: #131119; --card: #1d1a27; --ink: #edeaf6; --soft: #b5afc6; --line: #383347; --field: #8a839c;
  --accent: #aaa0ff; --strong: #c8c2ff; --on: #17132e; --tint: #292541; --bad: #ffa39d; --bad-tint: #3a1f25; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere; }
.value { display: block; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); user-select: all; }
.soft { color: var(--soft); }
.small { font-size: .9rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; padding: .7rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
.brand { display: inline-flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 650; text-decoration: none; }
.brand svg { width: 28px; height: 28px; }
.who { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 0; font-size: .95rem; color: var(--soft); }
main { width: 100%; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; flex: 1; }
main.narrow { max-width: 31rem; }
main.wide { max-width: 50rem; }
.foot { padding: 1rem 1.25rem 1.5rem; color: var(--soft); font-size: .85rem; text-align: center; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.75rem; }
.card + .card, h1 + .card { margin-top: 1.5rem; }
.card > :last-child, dd:last-child { margin-bottom: 0; }
.head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 1rem; margin-bottom: 1.5rem; }
.head p { margin: 0; }
.field { margin: 0 0 1.25rem; border: 0; padding: 0; min-width: 0; }
.field > label:not(.choice), legend { display: block; font-weight: 600; margin: 0 0 .35rem; padding: 0; }
.hint { color: var(--soft); font-size: .9rem; margin: 0 0 .45rem; }
input[type=text] { width: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--field); border-radius: 8px; padding: .65rem .75rem; min-height: 2.75rem; }
input[type=radio], input[type=checkbox] { accent-color: var(--accent); width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; flex: none; }
.choice { display: flex; gap: .75rem; padding: .7rem .85rem; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
.choice + .choice { margin-top: .5rem; }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint); }
.choice b, .choice small { display: block; }
.choice small { color: var(--soft); font-size: .9rem; }
button, .button { font: inherit; font-weight: 600; cursor: pointer; border-radius: 9px; border: 1px solid var(--field); background: var(--card); color: var(--ink);
  padding: .6rem 1.1rem; min-height: 2.75rem; display: inline-flex; align-items: center; justify-content: center; text-decoration: none; }
button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on); }
.primary:hover { background: var(--strong); border-color: var(--strong); color: var(--on); }
.danger { color: var(--bad); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 0; }
form + p { margin-top: 1.25rem; }
.actions > * { flex: 1 1 8rem; }
.notice { border-radius: 10px; padding: .85rem 1rem; margin: 0 0 1.5rem; background: var(--bad-tint); color: var(--bad); }
.notice ul { margin: 0; padding-left: 1.25rem; }
.scopes, .entries, .tags, .accounts { list-style: none; margin: 0 0 1.25rem; padding: 0; }
.scopes { border: 1px solid var(--line); border-radius: 10px; }
.scopes li { padding: .65rem 1rem; }
.scopes li + li { border-top: 1px solid var(--line); }
.scopes b { display: block; }
.scopes span { color: var(--soft); font-size: .92rem; }
.entries > li { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: flex-start; justify-content: space-between; padding: 1.1rem 0; border-top: 1px solid var(--line); }
.entries > li:first-child { border-top: 0; padding-top: 0; }
.entries > li:last-child { padding-bottom: 0; }
.entries > li > div { flex: 1 1 16rem; min-width: 0; }
.entries p { margin: .15rem 0 0; }
.tags { display: flex; flex-wrap: wrap; gap: .4rem; margin: .75rem 0 0; }
.tags li { padding: .1rem .6rem; border-radius: 99px; background: var(--tint); font-size: .85rem; }
.accounts { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .6rem; }
.accounts .button { width: 100%; overflow-wrap: anywhere; }
dl { margin: 0; }
dt { font-weight: 600; font-size: .9rem; color: var(--soft); }
dd { margin: 0 0 1rem; overflow-wrap: anywhere; }
@media (max-width: 32rem) {
  main { padding: 1.25rem .9rem 2rem; }
  .card { padding: 1.25rem; }
  h1 { font-size: 1.4rem; }
  .entries form, .entries form button, .head .button { width: 100%; }
}`;
