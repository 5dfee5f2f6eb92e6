import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../../platform/audit/audit-changes.js';
import { SignInPolicy } from '../../../platform/auth/sign-in-policy.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { AccountChangesService } from '../account-changes.service.js';
import { AccountLinksService } from '../links/account-links.service.js';
import { UsersRepository } from '../users.repository.js';

@Injectable()
export class EmailChangesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly links: AccountLinksService,
    private readonly changes: AccountChangesService,
    private readonly policy: SignInPolicy,
  ) {}

  /**
   * Returns the new address. Links in mails to the old one stop working. Refused for users who must sign in with their
   * organization's identity provider: a new address would bypass it.
   * @throws ApiError 400 `token_invalid`; 403 `sso_required`; 409 if another account has taken the address in the
   * meantime
   */
  confirm(token: string): Promise<string> {
    return this.database.transaction(
      async (tx) => {
        const { user, link } = await this.links.use(tx, token, 'change_email');
        await this.policy.assertPasswordAllowed(user.email, tx);
        if (await this.users.findByEmail(link.email, tx)) {
          throw ApiError.alreadyExists('email', 'This address already has an account.');
        }
        await this.users.update(user.id, { email: link.email, emailVerified: true }, tx);
        await this.links.endOpen(tx, user.id, ['reset_password', 'verify_email']);
        const actor = { type: 'user' as const, identifier: user.email };
        const changes = auditChanges({ email: user.email }, { email: link.email }, ['email']);
        await this.changes.audit(tx, user, 'email_changed', actor, changes);
        return link.email;
      },
      { retryUniqueViolation: true },
    );
  }

  cancel(userId: string): Promise<void> {
    return this.database.transaction((tx) => this.links.endOpen(tx, userId, ['change_email']));
  }
}
