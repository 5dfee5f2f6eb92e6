import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { clientNetwork } from '../../../platform/http/pipeline/client-network.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { failedSignInsOfAddress, failedSignInsOfDevice, failedSignInsOfNetwork } from '../account-limits.js';
import type { Client } from '../sessions/client.js';
import { DEVICE_LIFETIME_S } from '../sessions/device-cookie.js';
import { KnownDevicesRepository } from '../sessions/known-devices.repository.js';
import { SignInQueueService } from '../sign-in/sign-in-queue.service.js';
import { accountGone, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { PasswordHasherService } from './password-hasher.service.js';

export interface CheckedPassword {
  userId: string;
  /** The hash that the password matched. */
  storedHash: string;
  /** A new hash of the password if the stored one is outdated; otherwise null. */
  freshHash: string | null;
}

/** Proof required again from a signed-in user before account changes. */
export interface PasswordProof {
  /** Normalised. */
  password: string;
  /** Request field of the password, for the error. */
  param?: string;
}

export function wrongCredentials(): ApiError {
  return new ApiError('unauthenticated', 'The email or the password is wrong.');
}

/** Checks passwords for all callers, so that all wrong ones of an account count together. */
@Injectable()
export class PasswordCheckService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasherService,
    private readonly limiter: RateLimiterService,
    private readonly queue: SignInQueueService,
    private readonly devices: KnownDevicesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Hashes a new password. @throws ApiError 503 */
  hash(password: string): Promise<string> {
    return this.queue.run(() => this.hasher.hash(password));
  }

  /** @throws ApiError 401, identical and after the same work for an unknown address and a wrong password; 429 */
  async check(email: string, password: string, client: Client): Promise<CheckedPassword> {
    const checked = await this.findMatch(email, password, client);
    if (!checked) throw wrongCredentials();
    return checked;
  }

  /**
   * Checks the password of a signed-in user. Counts wrong passwords like a sign-in.
   * @throws ApiError 400 for a wrong password (a 401 would mean that the session has ended), 401 if the account is
   * gone, 429, 503
   */
  async reauthenticate(
    userId: string,
    { password, param = 'password' }: PasswordProof,
    client: Client,
  ): Promise<User> {
    const user = await this.users.find(userId);
    if (!user) throw accountGone();
    if (!(await this.queue.run(() => this.findMatch(user.email, password, client)))) {
      throw ApiError.parameter(param, `${param} is wrong.`);
    }
    return user;
  }

  /** Resets the count of wrong passwords for an address. */
  forgetFailures(tx: Transaction, email: string): Promise<void> {
    return this.limiter.forget(tx, failedSignInsOfAddress, email);
  }

  /** Returns null for an unknown address and for a wrong password. @throws ApiError 429 */
  private async findMatch(email: string, password: string, client: Client): Promise<CheckedPassword | null> {
    const ofAddress = await this.guessesOf(email, client.device);
    return this.limiter.countGuess(
      [ofAddress, [failedSignInsOfNetwork, clientNetwork(client.ip)]],
      async () => {
        const user = await this.users.findByEmail(email);
        const storedHash = user?.passwordHash ?? null;
        const matches = await this.hasher.verify(storedHash, password);
        if (!user || storedHash === null || !matches) return null;
        const isOutdated = this.hasher.isOutdated(storedHash);
        return {
          userId: user.id,
          storedHash,
          freshHash: isOutdated ? await this.hasher.hash(password) : null,
        };
      },
    );
  }

  /** Strangers can use up the guesses of an address, but not those of a device where the user has signed in. */
  private async guessesOf(email: string, device: string): Promise<[RateLimit, string]> {
    const deviceHash = credentialHash(device);
    const since = new Date(this.clock.nowMs() - DEVICE_LIFETIME_S * 1000);
    const owner = await this.devices.ownerOf(email, deviceHash, since);
    if (owner === null) return [failedSignInsOfAddress, email];
    return [failedSignInsOfDevice, `${owner}:${deviceHash.toString('base64url')}`];
  }
}
