import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { NewPasswordsService } from './passwords/new-passwords.service.js';
import { UsersRepository } from './users.repository.js';

/** Password resets by the operator. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly newPasswords: NewPasswordsService,
  ) {}

  /**
   * Returns how many sessions ended. `password` is normalised and acceptable.
   * @throws ApiError 404 if the address has no account
   */
  async reset(email: string, password: string): Promise<number> {
    const passwordHash = await this.newPasswords.hash(password);
    return this.database.transaction(async (tx) => {
      const user = await this.users.findByEmail(email, tx);
      if (!user) throw new ApiError('missing', 'This email address has no account.');
      return this.newPasswords.replace(tx, user, { passwordHash, by: 'operator' });
    });
  }
}
