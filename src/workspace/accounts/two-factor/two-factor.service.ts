import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import { PasswordCheckService } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { LoginAttemptsRepository } from '../sign-in/login-attempts.repository.js';
import { accountGone, hasTwoFactor, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { totpSecretPlace } from './secret-places.js';
import { newTotpSecret, otpauthUrl } from './totp.js';
import { TwoFactorCodesService } from './two-factor-codes.service.js';

export interface NewTotpSecret {
  secret: string;
  otpauthUrl: string;
}

function isOn(): ApiError {
  return new ApiError('already_exists', 'Two-factor is already on. Turn it off first.');
}

/** Turns two-factor on and off. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly codes: TwoFactorCodesService,
    private readonly passwords: PasswordCheckService,
    private readonly attempts: LoginAttemptsRepository,
    private readonly sessions: SessionsService,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
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

  /**
   * Returns the recovery codes. Ends the other sessions, which were started with a password only.
   * @throws ApiError 401 `two_factor_invalid`, 409 if it is on or no secret was created, 429
   */
  async enable({ userId, sessionId }: SessionPrincipal, code: string): Promise<string[]> {
    const user = await this.findUser(userId);
    if (hasTwoFactor(user)) throw isOn();
    if (!user.sealedTotpSecret)
      throw new ApiError('conflict', 'Create a secret first: POST /auth/2fa/setup.');
    return this.codes.withCode(userId, code, async (tx) => {
      await this.sessions.endOthers(tx, userId, sessionId);
      await this.users.update(userId, { twoFactorEnabledAt: new Date(this.clock.nowMs()) }, tx);
      return this.replaceRecoveryCodes(tx, userId);
    });
  }

  /** @throws ApiError 401 `two_factor_invalid`, 409 if it is off, 429 */
  async disable(userId: string, code: string): Promise<void> {
    await this.assertOn(userId);
    await this.codes.withCode(userId, code, (tx) => this.turnOff(tx, userId));
  }

  /** Returns new recovery codes. @throws ApiError 401 `two_factor_invalid`, 409 if it is off, 429 */
  async renewRecoveryCodes(userId: string, code: string): Promise<string[]> {
    await this.assertOn(userId);
    return this.codes.withCode(userId, code, (tx) => this.replaceRecoveryCodes(tx, userId));
  }

  /**
   * Deletes the secret and the recovery codes. Sign-ins waiting for a code must start again. The caller locks the
   * account and checks its right to change it.
   */
  async turnOff(tx: Transaction, userId: string): Promise<void> {
    const none = { twoFactorEnabledAt: null, sealedTotpSecret: null, totpLastStep: null };
    await this.users.update(userId, none, tx);
    await this.recoveryCodes.replace(tx, userId, []);
    await this.attempts.deleteOfUser(tx, userId);
  }

  /** The old codes no longer work. */
  private async replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.recoveryCodes.replace(tx, userId, codes.map(recoveryCodeHash));
    return codes;
  }

  private async assertOn(userId: string): Promise<void> {
    if (!hasTwoFactor(await this.findUser(userId))) throw new ApiError('conflict', 'Two-factor is off.');
  }

  private async findUser(userId: string): Promise<User> {
    const user = await this.users.find(userId);
    if (!user) throw accountGone();
    return user;
  }
}
