import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { normalizeCode, recoveryCodeHash } from './recovery-codes.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { totpSecretPlace } from './secret-places.js';
import { isTotpCode, stepOfCode } from './totp.js';

/** Codes of authenticator apps and recovery codes; each works once. */
@Injectable()
export class CodesService {
  constructor(
    private readonly users: UsersRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Uses up a code of either kind; returns false if it is wrong or was used before. `user` must be locked by `tx`. */
  use(tx: Transaction, user: User, code: string): Promise<boolean> {
    const normalized = normalizeCode(code);
    return isTotpCode(normalized)
      ? this.useTotp(tx, user, normalized)
      : this.recoveryCodes.delete(tx, user.id, recoveryCodeHash(normalized));
  }

  private async useTotp(tx: Transaction, user: User, code: string): Promise<boolean> {
    if (!user.sealedTotpSecret) return false;
    const secret = this.secrets.open(user.sealedTotpSecret, totpSecretPlace(user.id));
    const lastStep = user.totpLastStep ? Number(user.totpLastStep) : null;
    const step = stepOfCode({ secret, lastStep }, code, this.clock.nowMs());
    if (step === null) return false;
    await this.users.update(user.id, { totpLastStep: String(step) }, tx);
    return true;
  }
}
