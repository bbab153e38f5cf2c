import type { RegistrationProblems, WrittenRegistration } from '../oauth/registration.ts';
import { allScopes, scopeWords } from '../oauth/scopes.ts';
import { type Content, type Html, html } from './html.ts';
import type { Page } from './page.ts';
import type { Visit } from './visit.ts';

/** The form of Authentication 3, with what was written and what is wrong with it, in place. */
export function registerPage(
  visit: Visit,
  written: WrittenRegistration,
  problems: RegistrationProblems,
): Page {
  const { accountPath } = visit.area.addresses;
  const wrong = Object.keys(problems).length;
  const main = html`<p class="back"><a href="${accountPath}/apps">← Apps</a></p>
<h1>Register an app</h1>
<p class="soft">Register each installation on its own, so that you can disconnect one and keep the others.</p>
${wrong === 0 ? null : html`<div class="notice bad" role="alert"><p>${wrong === 1 ? 'One answer needs another look.' : `${wrong} answers need another look.`} Nothing is registered yet.</p></div>`}
<form class="card" method="post" action="${accountPath}/apps/new" novalidate>
<input type="hidden" name="form_token" value="${visit.formToken()}">
<div class="field"><label for="name">Name</label>
<p class="hint" id="name-hint">You will see it when the app asks for your approval.</p>${problem('name', problems.name)}
<input type="text" id="name" name="name" value="${written.name}" maxlength="200" autocomplete="off" required${described('name', problems.name)}></div>
<div class="field"><label for="redirect_uri">Callback URL</label>
<p class="hint" id="redirect_uri-hint">Exactly as the app sends it, with path and query. It starts with https://; a public app may also use http:// with localhost, 127.0.0.1 or [::1].</p>${problem('redirect_uri', problems.redirectUri)}
<input type="url" id="redirect_uri" name="redirect_uri" value="${written.redirectUri}" placeholder="https://example.com/callback" autocomplete="off" spellcheck="false" required${described('redirect_uri', problems.redirectUri)}></div>
<fieldset class="field"${blamed('type', problems.type)}><legend>Client type</legend>${problem('type', problems.type)}
${choice('radio', 'type', 'public', 'Public', 'Runs on somebody’s own computer or server, and can’t keep a secret.', written.type === 'public')}
${choice('radio', 'type', 'confidential', 'Confidential server', 'Runs on a server that keeps a client secret. It needs an https:// callback.', written.type === 'confidential')}
</fieldset>
<fieldset class="field"${blamed('scopes', problems.scopes)}><legend>Permissions it may ask for</legend>${problem('scopes', problems.scopes)}
${allScopes.map((scope) => {
  const { title, explanation } = scopeWords(scope);
  return choice('checkbox', 'scopes', scope, title, explanation, written.scopes.includes(scope));
})}
</fieldset>
<div class="actions"><a class="button" href="${accountPath}/apps">Cancel</a><button class="primary">Register app</button></div>
</form>`;
  return { title: 'Register an app', width: 'wide', main };
}

function problem(id: string, sentence: string | undefined): Content {
  return sentence === undefined ? null : html`<p class="wrong" id="${id}-problem">${sentence}</p>`;
}

/** A group of choices has its problem read out with its legend. */
function blamed(id: string, sentence: string | undefined): Content {
  return sentence === undefined ? null : html` aria-describedby="${id}-problem"`;
}

function described(id: string, sentence: string | undefined): Html {
  return sentence === undefined
    ? html` aria-describedby="${id}-hint"`
    : html` aria-invalid="true" aria-describedby="${id}-problem ${id}-hint"`;
}

function choice(
  kind: 'radio' | 'checkbox',
  name: string,
  value: string,
  title: string,
  explanation: string,
  chosen: boolean,
): Html {
  return html`<label class="choice"><input type="${kind}" name="${name}" value="${value}"${chosen ? html` checked` : null}><span><b>${title}</b><span>${explanation}</span></span></label>
`;
}
