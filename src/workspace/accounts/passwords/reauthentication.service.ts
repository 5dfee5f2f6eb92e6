import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { Client } from '../sessions/client.js';
import { SignInQueueService } from '../sign-in/sign-in-queue.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { PasswordCheckService } from './password-check.service.js';

/** Proof required again from a signed-in user before account changes. */
export interface Proof {
  /** Normalised. */
  password: string;
  /** Request field of the password, for the error. */
  param?: string;
}

@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordCheckService,
    private readonly queue: SignInQueueService,
  ) {}

  /**
   * Counts wrong passwords like a sign-in.
   * @throws ApiError 400 for a wrong password (a 401 would mean that the session has ended), 401 if the account is
   * gone, 429, 503
   */
  async assert(userId: string, { password, param = 'password' }: Proof, client: Client): Promise<User> {
    const user = await this.users.find(userId);
    if (!user) throw new ApiError('unauthenticated', 'The account no longer exists.');
    if (!(await this.queue.run(() => this.passwords.matching(user.email, password, client)))) {
      throw ApiError.parameter(param, `${param} is wrong.`);
    }
    return user;
  }
}
