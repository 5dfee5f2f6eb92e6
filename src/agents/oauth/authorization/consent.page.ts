import type { OauthScope } from '../../../platform/principal/oauth-scopes.js';
import { isBuiltIn, type ProjectRole } from '../../../platform/principal/permissions.js';
import { looksLikeDocument } from '../clients/client-document.policy.js';
import { isLoopback, redirectHost } from '../clients/redirect-uri.policy.js';
import type { AuthorizationRequest } from './authorization-request.policy.js';
import type { SealedConsent } from './consent-seals.service.js';
import type { Offer } from './consents.service.js';
import { type Html, markup } from '../../../platform/http/pipeline/html.js';

const roles: Record<ProjectRole, string> = {
  admin: 'admin',
  developer: 'developer',
  viewer: 'viewer: read only',
};

interface Consent extends Offer {
  request: AuthorizationRequest;
  email: string;
  sealed: SealedConsent;
}

/** Asks a person to authorize a client. */
export function consentPage({ request, email, sealed, ...offer }: Consent): Html {
  const name = request.clientName;
  return markup`<h1>Let ${name} in?</h1>
<p>A program that calls itself <strong>${name}</strong> wants to use Tenure in your name. You are signed in as <strong>${email}</strong>.</p>
${origin(request)}
<form method="post" action="/oauth/authorize">
<input type="hidden" name="csrf" value="${sealed.csrf}">
<input type="hidden" name="request" value="${sealed.request}">
${offer.projects.length > 0 ? choices(request, offer) : onlyDeny()}
</form>`;
}

function origin({ clientId, redirectUri }: AuthorizationRequest): Html {
  const description = looksLikeDocument(clientId)
    ? markup`<dt>It is described at</dt><dd>${clientId}</dd>`
    : null;
  const warning = isLoopback(redirectUri)
    ? markup`<p class="warning">This is an address on your own computer, which any program on it can use. Continue only if you have just started to connect a program yourself.</p>`
    : null;
  return markup`<dl><dt>Its answer goes to</dt><dd>${redirectHost(redirectUri)}</dd>${description}</dl>
${warning}`;
}

function onlyDeny(): Html {
  return markup`<p class="warning">You are a member of no project, so there is nothing to let it in on.</p>
<div class="actions"><button name="decision" value="deny">Deny</button></div>`;
}

function choices({ scopes }: AuthorizationRequest, { projects, preset }: Offer): Html {
  const options = projects.map(({ id, name, role, roleName }) => {
    const selected = id === preset.projectId ? markup` selected` : null;
    return markup`<option value="${id}"${selected}>${name} (${isBuiltIn(role) ? roles[role] : `${roleName}: read only`})</option>`;
  });
  // Enter activates the first button.
  return markup`<label for="project">Project</label>
<select id="project" name="project_id">${options}</select>
<fieldset><legend>It may</legend>
${access(scopes, preset)}
</fieldset>
${scopes.includes('project:money') ? money(preset) : null}
<div class="actions">
<button name="decision" value="deny">Deny</button>
<button class="primary" name="decision" value="allow">Allow</button>
</div>
<p class="hint">It never gets more than your own role holds. You can disconnect it at any time: your account, Connected clients.</p>`;
}

const checkedIf = (isChecked: boolean): Html | null => (isChecked ? markup` checked` : null);

function access(scopes: readonly OauthScope[], preset: Offer['preset']): Html {
  const mayWrite = preset.scopes.includes('project:write');
  const read = markup`<label><input type="radio" name="access" value="project:read"${checkedIf(!mayWrite)}> read: customers, purchases, figures and settings</label>`;
  if (!scopes.includes('project:write')) return read;
  return markup`${read}
<label><input type="radio" name="access" value="project:write"${checkedIf(mayWrite)}> read and change: also products, customers, webhooks and settings</label>`;
}

function money(preset: Offer['preset']): Html {
  const isChecked = preset.scopes.includes('project:money');
  return markup`<fieldset><legend>Money</legend>
<label><input type="checkbox" name="money" value="on"${checkedIf(isChecked)}> also cancel, extend and refund what customers bought</label>
</fieldset>`;
}
