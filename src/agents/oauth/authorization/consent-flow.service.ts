import { Injectable } from '@nestjs/common';
import { RequestCredentialsService } from '../../../platform/auth/request-credentials.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import type { OauthForm } from '../oauth-form.js';
import { answerTo, type AuthorizationRequest } from './authorization-request.policy.js';
import { AuthorizationRequestsService } from './authorization-requests.service.js';
import { consentPage } from './consent.page.js';
import { ConsentSealsService } from './consent-seals.service.js';
import { ConsentsService } from './consents.service.js';
import type { Html } from '../../../platform/http/pipeline/html.js';
import { refusedOnPage } from './authorization-refused.js';

const stale = (): ApiError =>
  new ApiError('forbidden', 'This request belongs to another session or has expired.');

/** Handles consent, from a client's request to a person's decision. */
@Injectable()
export class ConsentFlowService {
  constructor(
    private readonly requests: AuthorizationRequestsService,
    private readonly credentials: RequestCredentialsService,
    private readonly seals: ConsentSealsService,
    private readonly consents: ConsentsService,
  ) {}

  /** @throws AuthorizationRefused; ApiError 429 */
  read(request: ApiRequest, issuer: string): Promise<AuthorizationRequest> {
    return this.requests.read(request, issuer);
  }

  sessionOf(request: ApiRequest): Promise<SessionPrincipal | null> {
    return this.credentials.sessionOf(request);
  }

  async page(session: SessionPrincipal, request: AuthorizationRequest): Promise<Html> {
    const offer = await this.consents.offer(session, request);
    const sealed = this.seals.seal(session, request);
    return consentPage({ ...offer, request, email: session.email, sealed });
  }

  /** Returns the URL to redirect to. @throws ApiError 400, 403; AuthorizationRefused */
  async decide(request: ApiRequest, form: OauthForm, issuer: string): Promise<string> {
    this.credentials.assertSameOrigin(request);
    const session = await this.sessionOf(request);
    const sealed = { request: form.optional('request') ?? '', csrf: form.optional('csrf') ?? '' };
    const asked = session && this.seals.open(session, sealed);
    if (!asked) throw stale();
    const decision = form.required('decision');
    if (decision === 'deny') {
      return answerTo(asked, issuer, { error: 'access_denied', description: 'The person said no.' });
    }
    if (decision !== 'allow') throw refusedOnPage('Choose to allow or to deny.');
    await this.requests.assertKnown(asked, request.ip);
    const code = await this.consents.agree(session, asked, {
      projectId: form.required('project_id'),
      mayWrite: form.optional('access') === 'project:write',
      mayMoveMoney: form.optional('money') === 'on',
    });
    return answerTo(asked, issuer, { code });
  }
}
