import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { UsersRepository } from '../users.repository.js';
import { LoginAttemptsRepository } from '../sign-in/login-attempts.repository.js';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';

/** Whether sign-in requires a code. Callers lock the account and check their right to change it. */
@Injectable()
export class TwoFactorStateService {
  constructor(
    private readonly users: UsersRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly attempts: LoginAttemptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the recovery codes. */
  async turnOn(tx: Transaction, userId: string): Promise<string[]> {
    await this.users.update(userId, { twoFactorEnabledAt: new Date(this.clock.nowMs()) }, tx);
    return this.renewRecoveryCodes(tx, userId);
  }

  /** Deletes the secret and the recovery codes. Sign-ins waiting for a code must start again. */
  async turnOff(tx: Transaction, userId: string): Promise<void> {
    const none = { twoFactorEnabledAt: null, sealedTotpSecret: null, totpLastStep: null };
    await this.users.update(userId, none, tx);
    await this.recoveryCodes.replace(tx, userId, []);
    await this.attempts.deleteOfUser(tx, userId);
  }

  /** Returns new recovery codes; the old ones no longer work. */
  async renewRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.recoveryCodes.replace(tx, userId, codes.map(recoveryCodeHash));
    return codes;
  }
}
