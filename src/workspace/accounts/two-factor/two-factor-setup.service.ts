import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import { PasswordCheckService } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';
import { accountGone, hasTwoFactor } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { totpSecretPlace } from './secret-places.js';
import { newTotpSecret, otpauthUrl } from './totp.js';
import { isOn } from './two-factor.service.js';

export interface NewTotpSecret {
  secret: string;
  otpauthUrl: string;
}

@Injectable()
export class TwoFactorSetupService {
  constructor(
    private readonly passwords: PasswordCheckService,
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly secrets: SecretsService,
  ) {}

  /**
   * Creates a secret, replacing one that is not enabled yet.
   * @throws ApiError 400 for a wrong password, 409 if two-factor is on, 429, 503
   */
  async setUp(userId: string, password: string, client: Client): Promise<NewTotpSecret> {
    await this.passwords.reauthenticate(userId, { password }, client);
    const secret = newTotpSecret();
    const sealedTotpSecret = this.secrets.seal(secret, totpSecretPlace(userId));
    return this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      if (!user) throw accountGone();
      if (hasTwoFactor(user)) throw isOn();
      await this.users.update(userId, { sealedTotpSecret, totpLastStep: null }, tx);
      return { secret, otpauthUrl: otpauthUrl(secret, user.email) };
    });
  }
}
