import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import type { Client } from '../sessions/client.js';
import { UsersRepository } from '../users.repository.js';
import { NewPasswordsService } from './new-passwords.service.js';
import { PasswordCheckService } from './password-check.service.js';

export interface PasswordChange {
  currentPassword: string;
  /** Normalised and acceptable. */
  password: string;
}

@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly passwords: PasswordCheckService,
    private readonly newPasswords: NewPasswordsService,
  ) {}

  /** Ends the user's other sessions. @throws ApiError 400 for a wrong current password, 429, 503 */
  async change(
    { userId, sessionId }: SessionPrincipal,
    { currentPassword, password }: PasswordChange,
    client: Client,
  ): Promise<void> {
    const proof = { password: currentPassword, param: 'current_password' };
    const proven = await this.passwords.reauthenticate(userId, proof, client);
    const passwordHash = await this.newPasswords.hash(password);
    await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      // Another request has changed it in the meantime.
      if (user?.passwordHash !== proven.passwordHash) {
        throw ApiError.parameter('current_password', 'current_password is wrong.');
      }
      await this.newPasswords.replace(tx, user, { passwordHash, by: 'session', sessionId });
    });
  }
}
