import { Injectable } from '@nestjs/common';
import type { Client } from '../../../workspace/accounts/sessions/client.js';
import { ManagedAccountsService } from '../../../workspace/accounts/managed-accounts.service.js';
import { ManagedMembersService } from '../../access/managed-members.service.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../../access/organization-writes.service.js';
import type { OrganizationActor } from '../../access/organization-write.js';
import { RoleApplicationService } from '../../roles/role-application.service.js';
import type { SsoConnection } from '../connections/sso-connection.entity.js';
import type { SsoIdentity } from '../shared/identity.policy.js';
import { SsoRefused } from '../shared/sso-reasons.js';

/** The request that completes a sign-in. */
export interface SsoRequest {
  requestId: string;
  client: Client;
}

/** Creates a session for a person whom the identity provider has authenticated. */
@Injectable()
export class SsoSignInService {
  constructor(
    private readonly accounts: ManagedAccountsService,
    private readonly members: ManagedMembersService,
    private readonly roles: RoleApplicationService,
    private readonly writes: OrganizationWritesService,
  ) {}

  /**
   * Runs `identify` and the rest of the sign-in in one transaction, so `identify` may run more than once. Returns the
   * session's token.
   * @throws SsoRefused
   */
  signIn(
    connection: SsoConnection,
    { requestId, client }: SsoRequest,
    identify: (tx: OrganizationTransaction) => Promise<SsoIdentity>,
  ): Promise<string> {
    const { orgId, id: connectionId } = connection;
    const actor: OrganizationActor = { type: 'sso', id: connectionId, email: null };
    return this.writes.runAlone(
      { orgId, actor, requestId },
      async (tx) => {
        const identity = await identify(tx);
        const { email, groups } = identity;
        if (!(await this.members.isVerified(tx, orgId, email))) throw new SsoRefused('domain', { email });
        const { userId, isNewAccount, isNewMember } = await this.place(tx, connection, identity);
        const now = new Date(tx.nowMs());
        const { subject, note } = identity;
        await this.members.recordSignIn(tx, { orgId, userId, groups, now, connectionId, subject });
        await this.roles.reapply(tx, orgId, { people: [userId] });
        const token = await this.accounts.startSession(tx, userId, client, { connectionId, orgId });
        const data = {
          email,
          connection_id: connectionId,
          account_created: isNewAccount,
          joined: isNewMember,
          ...(note !== null && { note }),
        };
        await tx.audit({ action: 'sso_sign_in', target: 'member', targetId: userId, data });
        return token;
      },
      { retryUniqueViolation: true },
    );
  }

  /** Returns the person's account and membership, and creates them if the connection allows it. @throws SsoRefused */
  private async place(
    tx: OrganizationTransaction,
    { orgId, id, jit }: SsoConnection,
    { email, name, subject }: SsoIdentity,
  ): Promise<{ userId: string; isNewAccount: boolean; isNewMember: boolean }> {
    const account = await this.accounts.lockByEmail(tx, email);
    if (!account && !jit) throw new SsoRefused('no_account', { email });
    const member = account && (await this.members.find(tx, orgId, account.id));
    if (member?.active === false) throw new SsoRefused('member_inactive', { email });
    if (!member && (await this.members.isDeactivated(tx, orgId, email)))
      throw new SsoRefused('member_inactive', { email });
    const known = member?.ssoSubjects[id];
    if (subject !== null && known !== undefined && known !== subject)
      throw new SsoRefused('subject', { email });
    if (!member && !jit) throw new SsoRefused('not_a_member', { email });
    if (account) {
      await this.accounts.confirmEmail(tx, account);
      const followsProvider = account.origin === 'sso' && name !== null && name !== account.name;
      if (followsProvider) await this.accounts.update(tx, account.id, { name });
    }
    const userId = account?.id ?? (await this.accounts.create(tx, { email, name, origin: 'sso' }));
    if (!member) await this.members.activate(tx, orgId, userId, 'sso', new Date(tx.nowMs()));
    return { userId, isNewAccount: !account, isNewMember: !member };
  }
}
