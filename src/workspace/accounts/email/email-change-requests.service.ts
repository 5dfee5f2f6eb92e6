import { Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../../platform/auth/sign-in-policy.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { emailChangesOfUser } from '../account-limits.js';
import { PasswordCheckService } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';
import { CodeChecksService } from '../two-factor/code-checks.service.js';
import { EmailChangeMailsService } from './email-change-mails.service.js';

export interface EmailChange {
  /** The new address, normalised. */
  email: string;
  password: string;
  code: string | null;
}

@Injectable()
export class EmailChangeRequestsService {
  constructor(
    private readonly passwords: PasswordCheckService,
    private readonly codes: CodeChecksService,
    private readonly mails: EmailChangeMailsService,
    private readonly limiter: RateLimiterService,
    private readonly policy: SignInPolicy,
  ) {}

  /** Nothing changes until the link in the mail is used. @throws ApiError 400, 401 without the code, 403, 429, 503 */
  async request(session: SessionPrincipal, change: EmailChange, client: Client): Promise<void> {
    const { email, password, code } = change;
    const { email: present } = await this.passwords.reauthenticate(session.userId, { password }, client);
    await this.policy.assertPasswordAllowed(present);
    if (email === present) throw ApiError.parameter('email', 'email is the address that you have.');
    await this.limiter.count([emailChangesOfUser, session.userId]);
    await this.codes.usingIfOn(session, code, (tx, user) => this.mails.send(tx, user, email));
  }
}
