/** The stylesheet of the account pages: system fonts, light and dark, from 320 px up. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #f4f3f7; --card: #ffffff; --ink: #1e1b2b; --soft: #5a5569; --line: #dcd8e6; --field: #8a8499;
  --accent: #4b3fbf; --accent-strong: #3a30a0; --on-accent: #ffffff; --tint: #eeecfb;
  --danger: #a3232b; --danger-tint: #fdeeee; --good: #1d6b45; --good-tint: #e9f6ef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14121b; --card: #1e1b28; --ink: #edeaf6; --soft: #b5afc6; --line: #383347; --field: #8a839c;
    --accent: #aaa0ff; --accent-strong: #c3bcff; --on-accent: #17132e; --tint: #2a2640;
    --danger: #ffa39d; --danger-tint: #3a1f25; --good: #86d9ae; --good-tint: #17332a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
a:hover { color: var(--accent-strong); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, .code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.small { font-size: .9rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; top: 0; background: var(--card); padding: .75rem 1rem; z-index: 1; }
.skip:focus { left: 0; }

.top { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
.brand { white-space: nowrap; display: inline-flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 650; text-decoration: none; }
.brand:hover { color: var(--accent); }
.who { display: flex; align-items: center; gap: .75rem; margin: 0; font-size: .95rem; color: var(--soft); min-width: 0; }
.who > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.who b { color: var(--ink); font-weight: 600; }
main { width: 100%; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; flex: 1; }
main.narrow { max-width: 30rem; }
main.wide { max-width: 50rem; }
.foot { padding: 1rem 1.25rem 1.5rem; color: var(--soft); font-size: .85rem; text-align: center; }
.foot p { margin: 0; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.75rem; box-shadow: 0 1px 2px rgb(20 16 40 / 6%); }
.card + .card, section + section { margin-top: 1.5rem; }
.card > :last-child { margin-bottom: 0; }
.head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 1rem; margin-bottom: 1.5rem; }
.head p { margin: 0; }
.back { margin: 0 0 1rem; }

.field { margin: 0 0 1.25rem; border: 0; padding: 0; min-width: 0; }
.field > label:not(.choice), .field > legend { display: block; font-weight: 600; margin: 0 0 .35rem; padding: 0; }
.hint { color: var(--soft); font-size: .9rem; margin: 0 0 .45rem; }
.wrong { color: var(--danger); font-size: .9rem; font-weight: 600; margin: 0 0 .45rem; }
input[type=text], input[type=password], input[type=url] {
  width: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--field); border-radius: 8px;
  padding: .65rem .75rem; min-height: 2.75rem;
}
input[aria-invalid=true] { border-color: var(--danger); border-width: 2px; }
input[type=radio], input[type=checkbox] { accent-color: var(--accent); width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; flex: none; }
.choice { display: flex; gap: .75rem; padding: .7rem .85rem; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
.choice + .choice { margin-top: .5rem; }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint); }
.choice b { display: block; font-weight: 600; }
.choice span span { display: block; color: var(--soft); font-size: .9rem; }

button, .button {
  font: inherit; font-weight: 600; cursor: pointer; border-radius: 9px; border: 1px solid var(--field); background: var(--card); color: var(--ink);
  padding: .6rem 1.1rem; min-height: 2.75rem; display: inline-flex; align-items: center; justify-content: center; text-decoration: none;
}
button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
.danger { color: var(--danger); }
.danger:hover { border-color: var(--danger); color: var(--danger); background: var(--danger-tint); }
.plain { border: 0; background: none; color: var(--accent); padding: .25rem .1rem; min-height: 1.75rem; text-decoration: underline; text-underline-offset: .15em; font-weight: 500; white-space: nowrap; }
.plain:hover { color: var(--accent-strong); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 0; }
.actions > * { flex: 1 1 7rem; }
.actions form { display: flex; }
.actions form button { flex: 1; }

.notice { border-radius: 10px; padding: .85rem 1rem; margin: 1rem 0 1.5rem; background: var(--good-tint); color: var(--good); font-weight: 600; }
.notice.bad { background: var(--danger-tint); color: var(--danger); }
.notice p:last-child { margin: 0; }
.scopes { list-style: none; margin: 0 0 1.25rem; padding: 0; border: 1px solid var(--line); border-radius: 10px; }
.scopes li { padding: .75rem 1rem .75rem 2.9rem; position: relative; }
.scopes li::before { content: ""; position: absolute; left: 1.2rem; top: 1.15rem; width: .8rem; height: .4rem; border: solid var(--accent); border-width: 0 0 2.5px 2.5px; rotate: -45deg; }
.scopes li + li { border-top: 1px solid var(--line); }
.scopes b { display: block; font-weight: 600; }
.scopes span { color: var(--soft); font-size: .92rem; }
.entries { list-style: none; margin: 0; padding: 0; }
.entries li { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: flex-start; justify-content: space-between; padding: 1.1rem 0; border-top: 1px solid var(--line); }
.entries li:first-child { border-top: 0; padding-top: 0; }
.entries li:last-child { padding-bottom: 0; }
.entries .what { flex: 1 1 16rem; min-width: 0; }
.entries .what > :last-child { margin-bottom: 0; }
.entries form { margin: 0; }
.entries .what > p { margin: .15rem 0 0; }
.tags { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; padding: 0; margin: .75rem 0 0; }
.tags li { display: block; padding: .1rem .6rem; border: 0; border-radius: 99px; background: var(--tint); color: var(--ink); font-size: .85rem; }
.tags li:first-child, .tags li:last-child { padding: .1rem .6rem; }
.accounts { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: .6rem; }
.accounts button { width: 100%; overflow-wrap: anywhere; }
.empty { color: var(--soft); margin: 0; }
dl { margin: 0; }
dt { font-weight: 600; font-size: .9rem; color: var(--soft); }
dd { margin: 0 0 1rem; overflow-wrap: anywhere; }
dd:last-child { margin-bottom: 0; }
.value { display: block; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); user-select: all; }
details > summary { cursor: pointer; color: var(--soft); }
details[open] > summary { margin-bottom: .75rem; }

@media (max-width: 32rem) {
  .brand { flex: 1 1 100%; }
  .top { flex-wrap: wrap; padding: .6rem 1rem; gap: .15rem 1rem; }
  .who { flex: 1 1 auto; justify-content: space-between; }
  main { padding: 1.5rem 1rem 2rem; }
  .card { padding: 1.25rem; border-radius: 12px; }
  h1 { font-size: 1.4rem; }
  .entries form, .entries form button { width: 100%; }
  .head .button { width: 100%; }
}
@media (prefers-reduced-motion: no-preference) { button, .button, a { transition: color .12s, background-color .12s, border-color .12s; } }
`;

/** Two posters, one in front of the other. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28">
<rect x="9" y="2" width="16" height="21" rx="3" fill="#b9aef5"/>
<rect x="3" y="5" width="16" height="21" rx="3" fill="#4b3fbf"/>
<path d="M3 21l5-6 4 4 2.5-3 4.5 5.5V23a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z" fill="#f2b84b"/>
<circle cx="14" cy="10.5" r="2" fill="#fff"/>
</svg>
`;
