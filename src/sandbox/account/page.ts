import { type Content, Html, html } from './html.ts';

/** Where the parts of the account's pages are, and who is signed in. */
export interface Frame {
  /** Root-relative path of the account's pages. */
  readonly accountPath: string;
  readonly signedIn: { readonly name: string; readonly formToken: string } | null;
}

export interface Page {
  readonly title: string;
  /** Narrow for one question, wide for lists. */
  readonly width: 'narrow' | 'wide';
  readonly main: Content;
}

/** A whole document around a page's own content. */
export function wholePage(frame: Frame, page: Page): Html {
  return html`${new Html('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Artwork Catalogue</title>
<link rel="stylesheet" href="${frame.accountPath}/style.css">
<link rel="icon" href="${frame.accountPath}/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="${frame.accountPath}/apps"><img src="${frame.accountPath}/icon.svg" alt="" width="28" height="28"> Artwork Catalogue</a>
${frame.signedIn === null ? null : who(frame.accountPath, frame.signedIn)}
</header>
<main id="main" class="${page.width}" tabindex="-1">
${page.main}
</main>
<footer class="foot"><p>Embedded catalogue. It runs on this computer for trying things out; nothing here is published.</p></footer>
</body>
</html>
`;
}

function who(accountPath: string, signedIn: { name: string; formToken: string }): Html {
  return html`<form class="who" method="post" action="${accountPath}/sign-out">
<input type="hidden" name="form_token" value="${signedIn.formToken}">
<span>Signed in as <b>${signedIn.name}</b></span>
<button class="plain">Sign out</button>
</form>`;
}
