import type { Transaction } from '../database/database.service.js';
import { ApiError } from '../http/api-error.js';

/** How people may sign in. The enterprise edition refuses passwords where an organization requires its own provider. */
export abstract class SignInPolicy {
  /** Whether this server offers sign-in through identity providers. */
  abstract readonly offersSso: boolean;

  /** Whether an organization requires its identity provider of this address. */
  abstract refusesPassword(email: string, tx?: Transaction): Promise<boolean>;

  /** @throws ApiError 403 `sso_required`, with the address to sign in at, if passwords of this address are refused */
  async assertPasswordAllowed(email: string, tx?: Transaction): Promise<void> {
    if (!(await this.refusesPassword(email, tx))) return;
    throw new ApiError('forbidden', 'Your organization requires its single sign-on (SSO).', {
      accountType: 'sso_required',
      ssoUrl: `/sso/start?email=${encodeURIComponent(email)}`,
    });
  }
}
