import type { OauthScope } from '../../../platform/principal/oauth-scopes.js';
import type { ProjectRole } from '../../../platform/principal/permissions.js';
import { looksLikeDocument } from '../clients/client-document.policy.js';
import { isLoopback, redirectHost } from '../clients/redirect-uri.policy.js';
import type { AuthorizationRequest } from './authorization-request.policy.js';
import type { SealedConsent } from './consent-seals.service.js';
import type { Offer } from './consents.service.js';
import { type Html, html } from './html.js';

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

/** What a person reads before they let a client in. */
export function consentPage({ request, email, sealed, projects, preset }: Consent): Html {
  const hasProject = projects.length > 0;
  return html`<h1>Let ${request.clientName} in?</h1>
    <p>
      A program that calls itself <strong>${request.clientName}</strong> wants to use Tenure in your name. You
      are signed in as <strong>${email}</strong>.
    </p>
    ${origin(request)}
    <form method="post" action="/oauth/authorize">
      <input type="hidden" name="csrf" value="${sealed.csrf}" />
      <input type="hidden" name="request" value="${sealed.request}" />
      ${hasProject ? choices(request, { projects, preset }) : html`<p class="warning">You are a member of no project, so there is nothing to let it in on.</p>`}
      <div class="actions">
        <button name="decision" value="deny">Deny</button>
        ${hasProject ? html`<button class="primary" name="decision" value="allow">Allow</button>` : null}
      </div>
    </form>
    ${hasProject ? html`<p class="hint">It never gets more than your own role holds. You can disconnect it at any time: your account, Connected clients.</p>` : null}`;
}

function origin({ clientId, redirectUri }: AuthorizationRequest): Html {
  const host = redirectHost(redirectUri);
  return html`<dl>
      <dt>Its answer goes to</dt>
      <dd>${host}</dd>
      ${
        looksLikeDocument(clientId)
          ? html`<dt>It is described at</dt>
              <dd>${clientId}</dd>`
          : null
      }
    </dl>
    ${isLoopback(redirectUri) ? html`<p class="warning">This is an address on your own computer, which any program on it can use. Go on only if you have just started to connect a program yourself.</p>` : null}`;
}

function choices({ scopes }: AuthorizationRequest, { projects, preset }: Offer): Html {
  const options = projects.map(
    ({ id, name, role }) =>
      html`<option value="${id}" ${id === preset.projectId ? html` selected` : null}>
        ${name} (${roles[role]})
      </option>`,
  );
  const isPreset = (scope: OauthScope): Html | null =>
    preset.scopes.includes(scope) ? html` checked` : null;
  const mayWrite = scopes.includes('project:write');
  return html`<label for="project">Project</label>
    <select id="project" name="project_id">
      ${options}
    </select>
    <fieldset>
      <legend>It may</legend>
      <label
        ><input
          type="radio"
          name="access"
          value="project:read"
          ${mayWrite && isPreset('project:write') ? null : html` checked`}
        />
        read: customers, purchases, figures and settings</label
      >
      ${mayWrite ? html`<label><input type="radio" name="access" value="project:write" ${isPreset('project:write')} /> read and change: also products, customers, webhooks and settings</label>` : null}
    </fieldset>
    ${
      scopes.includes('project:money')
        ? html`<fieldset>
            <legend>Money</legend>
            <label
              ><input type="checkbox" name="money" value="on" ${isPreset('project:money')} /> also cancel,
              extend and refund what customers bought</label
            >
          </fieldset>`
        : null
    }`;
}
