import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AccountsService } from '../accounts/accounts.service.js';

const PLACE = 'users/alert_emails/unsubscribe';

/** Turns alert emails off without a sign-in, by the token in each of them (RFC 8058). */
@Injectable()
export class AlertUnsubscribeService {
  constructor(
    private readonly secrets: SecretsService,
    private readonly accounts: AccountsService,
    private readonly config: Config,
  ) {}

  urlFor(userId: string): string {
    const token = encodeURIComponent(this.secrets.seal(userId, PLACE));
    return `${this.config.baseUrl}/auth/alerts/unsubscribe?token=${token}`;
  }

  /** Also succeeds if they are already off, or the account is gone. @throws ApiError 400 for a forged token */
  async unsubscribe(token: string): Promise<void> {
    await this.accounts.turnOffAlertEmails(this.userOf(token));
  }

  private userOf(token: string): string {
    try {
      return this.secrets.open(token, PLACE);
    } catch {
      throw ApiError.parameter('token', 'The link is not valid. Sign in to change your settings.');
    }
  }
}
