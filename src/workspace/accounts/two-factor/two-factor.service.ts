import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { AccountsService } from '../accounts.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { hasTwoFactor } from '../user.entity.js';
import { CodeChecksService } from './code-checks.service.js';
import { TwoFactorStateService } from './two-factor-state.service.js';

@Injectable()
export class TwoFactorService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly checks: CodeChecksService,
    private readonly state: TwoFactorStateService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Returns the recovery codes. Ends the other sessions, which were started with a password only.
   * @throws ApiError 401 `two_factor_invalid`, 409 if it is on or no secret was created, 429
   */
  async enable({ userId, sessionId }: SessionPrincipal, code: string): Promise<string[]> {
    const user = await this.accounts.get(userId);
    if (hasTwoFactor(user)) throw isOn();
    if (!user.sealedTotpSecret) throw new ApiError('conflict', 'Make a secret first: POST /auth/2fa/setup.');
    return this.checks.using(userId, code, async (tx) => {
      await this.sessions.endOthers(tx, userId, sessionId);
      return this.state.turnOn(tx, userId);
    });
  }

  /** @throws ApiError 401 `two_factor_invalid`, 409 if it is off, 429 */
  async disable(userId: string, code: string): Promise<void> {
    await this.assertOn(userId);
    await this.checks.using(userId, code, (tx) => this.state.turnOff(tx, userId));
  }

  /** @throws ApiError 401 `two_factor_invalid`, 409 if it is off, 429 */
  async renewRecoveryCodes(userId: string, code: string): Promise<string[]> {
    await this.assertOn(userId);
    return this.checks.using(userId, code, (tx) => this.state.renewRecoveryCodes(tx, userId));
  }

  private async assertOn(userId: string): Promise<void> {
    if (!hasTwoFactor(await this.accounts.get(userId))) throw new ApiError('conflict', 'Two-factor is off.');
  }
}

export function isOn(): ApiError {
  return new ApiError('already_exists', 'Two-factor is on already. Turn it off first.');
}
