// A host of MCP Apps in small, for tests: the reference implementation of the host's side around a sandboxed frame.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** What the specification has a host enforce where a resource declares no domains. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

window.openApp = async ({ html, args, result, capabilities, context }) => {
  const frame = document.createElement('iframe');
  frame.title = 'Artwork';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.cssText = 'width:100%;border:0;height:40px;display:block';
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: 'test host', version: '1' }, capabilities, {
    hostContext: context,
  });
  const sizes = [];
  bridge.onsizechange = ({ height }) => {
    sizes.push(height);
    frame.style.height = `${height}px`;
  };
  bridge.onreadresource = ({ uri }) => window.readResource(uri);
  bridge.onrequestdisplaymode = async ({ mode }) => ({ mode });
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
  await initialized;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
  window.bridge = bridge;
  window.sizes = sizes;
};
