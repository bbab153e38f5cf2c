// Runs in the frame that a host of MCP Apps makes for an answer (SEP-1865). It shows; it never calls a tool.

/** @typedef {{ id?: string | number, method?: string, params?: any, result?: any, error?: any }} Message */

const root = document.documentElement;
const content = /** @type {HTMLElement} */ (document.getElementById('app'));

/** @type {Map<unknown, { resolve(value: any): void, reject(reason: Error): void }>} */
const waiting = new Map();
let lastId = 0;
/** What the host can do, once it has said so. @type {any} */
let host = null;

/** @param {Message} message */
function post(message) {
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
}

/** @param {string} method @param {object} params @returns {Promise<any>} */
function request(method, params) {
  lastId += 1;
  post({ id: lastId, method, params });
  return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || data?.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = /** @type {Message} */ (data);
  if (method === undefined) {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error('The host refused it.'));
    waiting.delete(id);
  } else if (id !== undefined) {
    const isKnown = method === 'ping' || method === 'ui/resource-teardown';
    post(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: 'This view only shows.' } });
  } else if (method === 'ui/notifications/host-context-changed') follow(params);
  else if (method === 'ui/notifications/tool-cancelled') say('The call was cancelled.');
  else if (method === 'ui/notifications/tool-result')
    show(params).catch(() => fallBack(params, 'The page could not be read here.'));
});

/** @param {any} context */
function follow(context) {
  if (context?.theme === 'light' || context?.theme === 'dark') root.dataset.theme = context.theme;
}

/** @param {any} result */
async function show(result) {
  const page = /\/pages\/([a-z]+-[0-9a-f-]+)\.html$/.exec(addressIn(result));
  if (page === null) return fallBack(result, '');
  if (host?.serverResources === undefined)
    return fallBack(result, 'The whole page is in the file that the answer names.');
  say('Reading the page…');
  const read = new DOMParser().parseFromString(await wholePage(page[1] ?? ''), 'text/html');
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

const elements = /^(article|b|bdi|div|footer|h[123]|header|img|li|main|p|section|small|span|ul)$/i;
const attributes = /^(class|width|height|alt|dir|src=data:image\/webp;base64,.*)$/;

/** What pages are made of, and nothing else. @param {Node} node @returns {Node[]} */
function kept(node) {
  if (node instanceof Text) return [document.createTextNode(node.data)];
  if (!(node instanceof Element) || !elements.test(node.tagName)) return [];
  const copy = document.createElement(node.tagName);
  for (const { name, value } of node.attributes) {
    if (attributes.test(name === 'src' ? `${name}=${value}` : name)) copy.setAttribute(name, value);
  }
  copy.append(...[...node.childNodes].flatMap(kept));
  return [copy];
}

/** @param {any} result @returns {string} */
function addressIn(result) {
  try {
    const told = result?.structuredContent ?? JSON.parse(result?.content?.[0]?.text);
    return typeof told?.page === 'string' ? told.page : '';
  } catch {
    return '';
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
    image.style.width = '100%';
    return [image];
  });
  const words = result?.isError === true ? 'The call failed.' : why;
  say(images.length === 0 && words === '' ? 'There is no page to look at.' : words);
  content.append(...images);
}

/** @param {string} words */
function say(words) {
  const line = document.createElement('p');
  line.className = 'foot';
  line.setAttribute('role', 'status');
  line.textContent = words;
  content.replaceChildren(...(words === '' ? [] : [line]));
}

new ResizeObserver(() => {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  if (host !== null) post({ method: 'ui/notifications/size-changed', params: { height } });
}).observe(document.body);

request('ui/initialize', {
  appInfo: { name: 'artwork-mcp', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  protocolVersion: '2026-01-26',
})
  .then((answer) => {
    host = answer?.hostCapabilities ?? {};
    follow(answer?.hostContext);
    post({ method: 'ui/notifications/initialized', params: {} });
  })
  .catch(() => say('The host does not show pages.'));
