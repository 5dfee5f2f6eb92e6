import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { AccountsService } from '../accounts.service.js';
import { PasswordCheckService } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';

/** Requires proof of ownership before an account is deleted. */
@Injectable()
export class AccountConfirmationService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly passwords: PasswordCheckService,
  ) {}

  /**
   * An account without a password needs only its address.
   * @throws ApiError 400 for another address or a wrong password, 429, 503
   */
  async assert(
    userId: string,
    { email, password }: { email: string; password: string | null },
    client: Client,
  ): Promise<void> {
    const user = await this.accounts.get(userId);
    if (email !== user.email) throw ApiError.parameter('email', 'email is not the address of your account.');
    if (user.passwordHash === null) return;
    if (password === null) throw ApiError.parameter('password', 'password is required.');
    await this.passwords.reauthenticate(userId, { password }, client);
  }
}
