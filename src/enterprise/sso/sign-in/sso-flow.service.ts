import { Injectable } from '@nestjs/common';
import { emailDomain, normalizeEmail } from '../../../platform/http/bodies/email.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import type { OrganizationActor } from '../../access/organization-write.js';
import { OrganizationWritesService } from '../../access/organization-writes.service.js';
import { LicenceService } from '../../licence/licence.service.js';
import { isOidc, isSaml, type SsoConnection } from '../connections/sso-connection.entity.js';
import { SsoConnectionsService } from '../connections/sso-connections.service.js';
import { ssoMessage, ssoMessages, SsoRefused } from '../shared/sso-reasons.js';
import { type OidcAnswer, OidcSignInService } from './oidc-sign-in.service.js';
import { type SamlAnswer, SamlSignInService, type SignedIn } from './saml-sign-in.service.js';
import { SsoMetrics } from './sso.metrics.js';
import type { SsoRequest } from './sso-sign-in.service.js';

/** Limits audit rows, because anyone can start a sign-in and send an invalid response. */
const refusalRows: RateLimit = { name: 'sso_refusal_connection', max: 100, windowMs: 3_600_000 };

/** Next address of the browser: the target page, signed in or not, or the sign-in page with a message. */
export type SsoStep = { location: string; sessionToken?: string };

export function failureAt(message: string): SsoStep {
  return { location: `/login?sso_error=${encodeURIComponent(message)}` };
}

/** Runs sign-ins from start to session, or to an error message on the sign-in page. */
@Injectable()
export class SsoFlowService {
  constructor(
    private readonly connections: SsoConnectionsService,
    private readonly saml: SamlSignInService,
    private readonly oidc: OidcSignInService,
    private readonly licence: LicenceService,
    private readonly writes: OrganizationWritesService,
    private readonly limiter: RateLimiterService,
    private readonly metrics: SsoMetrics,
  ) {}

  /** Returns the connection for sign-ins with this address, or null. */
  async connectionFor(email: string): Promise<SsoConnection | null> {
    const domain = emailDomain(normalizeEmail(email));
    if (domain === '' || !this.licence.feature('sso')) return null;
    return this.connections.findForDomain(domain);
  }

  find(id: string): Promise<SsoConnection | null> {
    return this.connections.find(id);
  }

  start(
    connection: SsoConnection | null,
    next: string,
    browserSecret: string,
    request: SsoRequest,
  ): Promise<SsoStep> {
    return this.attempt(connection, request, async (found) => {
      if (isSaml(found)) return { location: await this.saml.start(found, next, browserSecret) };
      if (isOidc(found)) return { location: await this.oidc.start(found, next, browserSecret) };
      throw new Error('the connection has no kind');
    });
  }

  async finishSaml(id: string, answer: SamlAnswer, request: SsoRequest): Promise<SsoStep> {
    return this.attempt(await this.find(id), request, async (connection) => {
      if (!isSaml(connection)) throw new SsoRefused('connection_disabled');
      return signedIn(await this.saml.finish(connection, answer, request));
    });
  }

  async finishOidc(id: string, answer: OidcAnswer, request: SsoRequest): Promise<SsoStep> {
    return this.attempt(await this.find(id), request, async (connection) => {
      if (!isOidc(connection)) throw new SsoRefused('connection_disabled');
      return signedIn(await this.oidc.finish(connection, answer, request));
    });
  }

  /** Rejects disabled connections; records refusals. */
  private async attempt(
    connection: SsoConnection | null,
    request: SsoRequest,
    work: (connection: SsoConnection) => Promise<SsoStep>,
  ): Promise<SsoStep> {
    if (!connection) return failureAt(ssoMessages.not_set_up);
    try {
      if (!connection.enabled || !this.licence.feature('sso')) throw new SsoRefused('connection_disabled');
      return await work(connection);
    } catch (error) {
      if (!(error instanceof SsoRefused)) throw error;
      await this.recordRefusal(connection, request.requestId, error);
      return failureAt(ssoMessage(error));
    }
  }

  /** Counts every refusal. Writes no audit row for strangers, or after 100 refusals of a connection in an hour. */
  private async recordRefusal(
    { orgId, id }: SsoConnection,
    requestId: string,
    { reason, email, isStranger, details }: SsoRefused,
  ): Promise<void> {
    this.metrics.refused(reason);
    if (isStranger || !(await this.limiter.hit(refusalRows, orgId, id)).allowed) return;
    const actor: OrganizationActor = { type: 'sso', id, email: null };
    await this.writes.run({ orgId, actor, requestId }, (tx) =>
      tx.audit({
        action: 'sso_sign_in_failed',
        target: 'sso_connection',
        targetId: id,
        data: { reason, email, ...details },
      }),
    );
  }
}

function signedIn({ sessionToken, next }: SignedIn): SsoStep {
  return { location: next, sessionToken };
}
