// Runs in the frame that a host of MCP Apps makes for an answer (SEP-1865). It shows; it never calls a tool.

/** @typedef {{ id?: string | number, method?: string, params?: any, result?: any, error?: any }} Message */

const names = {
  init: 'ui/initialize',
  ready: 'ui/notifications/initialized',
  size: 'ui/notifications/size-changed',
};
const root = document.documentElement;
const content = /** @type {HTMLElement} */ (document.getElementById('app'));

/** @type {Map<number, { resolve(value: any): void, reject(reason: Error): void }>} */
const waiting = new Map();
let lastId = 0;

/** @param {Message} message */
function post(message) {
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
}

/** @param {string} method @param {object} params @returns {Promise<any>} */
function request(method, params) {
  lastId += 1;
  const id = lastId;
  post({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** What the host can do, once it has said so. @type {any} */
let host = {};

/** @param {any} context */
function follow(context) {
  if (context?.theme === 'light' || context?.theme === 'dark') root.dataset.theme = context.theme;
  const modes = Array.isArray(context?.availableDisplayModes) ? context.availableDisplayModes : null;
  const button = document.getElementById('larger');
  if (modes !== null && button !== null) button.hidden = !modes.includes('fullscreen');
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || data?.jsonrpc !== '2.0') return;
  if (data.method === undefined) settle(data);
  else if (data.id === undefined) told(data);
  else if (data.method === 'ping' || data.method === 'ui/resource-teardown')
    post({ id: data.id, result: {} });
  else post({ id: data.id, error: { code: -32601, message: 'This view only shows.' } });
});

/** @param {Message} message */
function settle({ id, result, error }) {
  const call = typeof id === 'number' ? waiting.get(id) : undefined;
  if (call === undefined || typeof id !== 'number') return;
  waiting.delete(id);
  if (error === undefined) call.resolve(result);
  else call.reject(new Error('The host refused it.'));
}

/** @param {Message} message */
function told({ method, params }) {
  if (method === 'ui/notifications/host-context-changed') follow(params);
  if (method === 'ui/notifications/tool-cancelled') say('The call was cancelled.');
  if (method === 'ui/notifications/tool-result') {
    show(params).catch(() => fallBack(params, 'The page could not be read here.'));
  }
}

/** @param {any} result */
async function show(result) {
  const page = /\/pages\/([a-z]+-\d{8}-\d{6}-[0-9a-f]{8}-[0-9a-f]{8})\.html$/.exec(addressIn(result));
  if (page === null) return fallBack(result, '');
  if (host.serverResources === undefined)
    return fallBack(result, 'The whole page is in the file that the answer names.');
  say('Reading the page…');
  const read = new DOMParser().parseFromString(await wholePage(page[1] ?? ''), 'text/html');
  const rules = new CSSStyleSheet();
  // The second sheet is the page's own; the first is this document's too.
  rules.replaceSync(read.querySelectorAll('style')[1]?.textContent ?? '');
  document.adoptedStyleSheets = [rules];
  content.replaceChildren(...[...read.body.childNodes].flatMap(kept));
}

/** Hosts limit what one read may have, so that a page comes in parts, each behind its number and how many there are. */
async function wholePage(/** @type {string} */ name) {
  let text = '';
  for (let part = 1, parts = 1; part <= parts; part++) {
    const { contents } = await request('resources/read', { uri: `ui://artwork-mcp/page/${name}/${part}` });
    const [, all, rest] = /^\d+\/(\d+)\n([\s\S]*)$/.exec(contents?.[0]?.text ?? '') ?? [];
    if (all === undefined) throw new Error('That is no part of a page.');
    parts = Number(all);
    text += rest ?? '';
  }
  return text;
}

const elements = new Set(
  'a article bdi code dd details div dl dt figcaption figure footer h1 h2 h3 header i img li main nav p pre section small span summary ul'
    .toUpperCase()
    .split(' '),
);
const attributes = new Set([
  'class',
  'id',
  'width',
  'height',
  'alt',
  'dir',
  'tabindex',
  'aria-label',
  'aria-hidden',
]);

/** What pages are made of, and nothing else. @param {Node} node @returns {Node[]} */
function kept(node) {
  if (node instanceof Text) return [document.createTextNode(node.data)];
  if (!(node instanceof Element) || !elements.has(node.tagName)) return [];
  const copy = document.createElement(node.tagName);
  for (const { name, value } of node.attributes) {
    const isSafe =
      attributes.has(name) ||
      (name === 'href' && value.startsWith('#')) ||
      (name === 'src' && value.startsWith('data:image/webp;base64,'));
    if (isSafe) copy.setAttribute(name, value);
  }
  copy.append(...[...node.childNodes].flatMap(kept));
  return [copy];
}

/** @param {any} result @returns {string} */
function addressIn(result) {
  const told = result?.structuredContent ?? parsed(result?.content?.[0]?.text);
  return typeof told?.page === 'string' ? told.page : '';
}

/** @param {unknown} text @returns {any} */
function parsed(text) {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** The pictures of the answer itself, where there is no page or it can't be read. @param {any} result @param {string} why */
function fallBack(result, why) {
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const images = blocks.flatMap((/** @type {any} */ { type, data, mimeType }) => {
    if (type !== 'image' || !/^image\/(png|jpeg|webp)$/.test(mimeType)) return [];
    const image = document.createElement('img');
    image.src = `data:${mimeType};base64,${data}`;
    image.alt = 'The pictures that the answer shows';
    image.className = 'sheet';
    return [image];
  });
  const words = result?.isError === true ? 'The call failed.' : why;
  say(images.length === 0 && words === '' ? 'There is no page to look at.' : words);
  content.append(...images);
}

/** @param {string} words */
function say(words) {
  const line = document.createElement('p');
  line.className = 'app-word';
  line.setAttribute('role', 'status');
  line.textContent = words;
  content.replaceChildren(...(words === '' ? [] : [line]));
}

// The frame is as high as its content: a link within it moves the page around it, and nothing lies over it.
content.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  const target = document.getElementById((link.getAttribute('href') ?? '').slice(1));
  if (target !== null && !target.contains(link)) target.scrollIntoView();
});
document.getElementById('larger')?.addEventListener('click', () => {
  request('ui/request-display-mode', { mode: 'fullscreen' }).catch(() => undefined);
});

let size = '';
new ResizeObserver(() => {
  const { width } = root.getBoundingClientRect();
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  if (size === `${width} ${height}` || !ready) return;
  size = `${width} ${height}`;
  post({ method: names.size, params: { width: Math.ceil(width), height } });
}).observe(document.body);

let ready = false;
request(names.init, {
  appInfo: { name: 'artwork-mcp', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  protocolVersion: '2026-01-26',
})
  .then((answer) => {
    host = answer?.hostCapabilities ?? {};
    follow(answer?.hostContext);
    ready = true;
    post({ method: names.ready, params: {} });
  })
  .catch(() => say('The host does not show pages.'));
