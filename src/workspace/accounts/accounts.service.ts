import { Injectable } from '@nestjs/common';
import { accountGone, type User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Absent fields stay unchanged. */
export interface AccountUpdate {
  name?: string | null;
  alertEmails?: boolean;
}

@Injectable()
export class AccountsService {
  constructor(private readonly users: UsersRepository) {}

  /** @throws ApiError 401 if the account is gone, since its session is then invalid */
  async get(userId: string): Promise<User> {
    const user = await this.users.find(userId);
    if (!user) throw accountGone();
    return user;
  }

  async update(userId: string, changes: AccountUpdate): Promise<User> {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length > 0) await this.users.update(userId, given);
    return this.get(userId);
  }

  /** Does nothing if the account is gone. */
  async turnOffAlertEmails(userId: string): Promise<void> {
    await this.users.update(userId, { alertEmails: false });
  }
}
