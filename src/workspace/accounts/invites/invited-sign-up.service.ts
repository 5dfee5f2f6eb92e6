import { Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../../platform/auth/sign-in-policy.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { InviteLinksService, type OpenInvite } from '../../members/invites/invite-links.service.js';
import { type NewAccount, NewAccountsService } from '../sign-up/new-accounts.service.js';
import type { Client } from '../sessions/client.js';
import { SignUpRulesService } from '../sign-up/sign-up-rules.service.js';
import { SignUpService } from '../sign-up/sign-up.service.js';

function refused(accountType: string, message: string): ApiError {
  return new ApiError('parameter', message, { param: 'invite_token', accountType });
}

function notOpen(): ApiError {
  return refused('invite_invalid', 'The invite does not exist or is no longer open.');
}

/** Signs up invited users. The link in the mail proves the address, so the account needs no confirmation. */
@Injectable()
export class InvitedSignUpService {
  constructor(
    private readonly links: InviteLinksService,
    private readonly rules: SignUpRulesService,
    private readonly signUps: SignUpService,
    private readonly accounts: NewAccountsService,
    private readonly policy: SignInPolicy,
  ) {}

  /**
   * Returns the session token. Works even if sign-up is closed.
   * @throws ApiError 400 for an invite that is not open or is for another address, 403 `sso_required`, 409 if the
   * address has an account, 429, 503
   */
  async signUp(
    account: NewAccount,
    client: Client,
    inviteToken: string,
  ): Promise<{ token: string; projectId: string }> {
    const invite = await this.openInvite(inviteToken, account.email);
    await this.policy.assertPasswordAllowed(account.email);
    const token = await this.signUps.complete(account, client, {
      method: 'invite',
      assertMayTry: () => this.rules.countAttempt(client),
      create: async (tx, prepared) => {
        const userId = await this.accounts.createWithoutProject(tx, prepared);
        if (!(await this.links.accept(tx, invite, userId))) throw notOpen();
        return userId;
      },
    });
    return { token, projectId: invite.projectId };
  }

  private async openInvite(token: string, email: string): Promise<OpenInvite> {
    const invite = await this.links.find(token);
    if (!invite) throw notOpen();
    if (invite.email !== email) {
      throw refused('invite_email_mismatch', 'The invite is for another email address.');
    }
    return invite;
  }
}
