import type { Transaction } from '../../database/database.service.js';
import { ApiError } from '../../http/errors/api-error.js';
import { emailDomain } from '../../http/bodies/email.js';

/**
 * Allowed sign-in methods. The enterprise edition rejects passwords where an organization requires its own provider.
 */
export abstract class SignInPolicy {
  /** Whether this server offers sign-in through identity providers. */
  abstract readonly offersSso: boolean;

  /** Name of the organization that requires its identity provider for this address; null if none does. */
  abstract requiringOrganization(email: string, tx?: Transaction): Promise<string | null>;

  /** @throws ApiError 403 `sso_required`, with the sign-in URL, if this address may not use passwords */
  async assertPasswordAllowed(email: string, tx?: Transaction): Promise<void> {
    const organization = await this.requiringOrganization(email, tx);
    if (organization === null) return;
    const message = `${JSON.stringify(organization)} requires single sign-on (SSO) for addresses at ${emailDomain(email)}.`;
    throw new ApiError('forbidden', message, {
      accountType: 'sso_required',
      ssoUrl: `/sso/start?email=${encodeURIComponent(email)}`,
    });
  }
}
