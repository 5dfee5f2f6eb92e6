import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import type { AuthorizationRequest } from './authorization-request.policy.js';

const VALID_MS = 10 * 60_000;

type Session = Pick<SessionPrincipal, 'sessionId'>;

/** Hidden fields of the consent form. */
export interface SealedConsent {
  request: string;
  csrf: string;
}

const requestPlace = ({ sessionId }: Session): string => `oauth/consent/${sessionId}/request`;

/** Binds the token to this session and this request. */
function csrfPlace({ sessionId }: Session, request: string): string {
  return `oauth/consent/${sessionId}/csrf/${createHash('sha256').update(request).digest('base64url')}`;
}

/** Seals the request, so that the decision applies to what the person saw. Works on every replica. */
@Injectable()
export class ConsentSealsService {
  constructor(
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  seal(session: Session, asked: AuthorizationRequest): SealedConsent {
    const request = this.secrets.seal(JSON.stringify(asked), requestPlace(session));
    const validUntilMs = this.clock.nowMs() + VALID_MS;
    return { request, csrf: this.secrets.seal(String(validUntilMs), csrfPlace(session, request)) };
  }

  /** Returns null unless the fields belong to a page shown to this session in the last 10 minutes. */
  open(session: Session, { request, csrf }: SealedConsent): AuthorizationRequest | null {
    try {
      const validUntilMs = Number(this.secrets.open(csrf, csrfPlace(session, request)));
      if (validUntilMs <= this.clock.nowMs()) return null;
      return JSON.parse(this.secrets.open(request, requestPlace(session))) as AuthorizationRequest;
    } catch {
      return null;
    }
  }
}
