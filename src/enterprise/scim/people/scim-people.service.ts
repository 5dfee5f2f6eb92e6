import { Injectable } from '@nestjs/common';
import { emailDomain } from '../../../platform/http/bodies/email.js';
import { ManagedAccountsService } from '../../../workspace/accounts/managed-accounts.service.js';
import type { User } from '../../../workspace/accounts/user.entity.js';
import { ManagedMembersService } from '../../access/managed-members.service.js';
import type { OrganizationTransaction } from '../../access/organization-writes.service.js';
import { RoleApplicationService } from '../../roles/role-application.service.js';
import { scimError } from '../protocol/scim-error.js';

/** A person as the identity provider describes them. */
export interface ScimPerson {
  /** The effective address; null if none is valid. */
  email: string | null;
  name: string | null;
}

/** Effects of provisioning on accounts and their access. The caller holds the organization's lock. */
@Injectable()
export class ScimPeopleService {
  constructor(
    private readonly accounts: ManagedAccountsService,
    private readonly members: ManagedMembersService,
    private readonly roles: RoleApplicationService,
  ) {}

  /** @throws ApiError 400 invalidValue unless the organization has verified the domain of the address */
  async assertAddress(tx: OrganizationTransaction, { email }: ScimPerson): Promise<string> {
    if (email === null)
      throw scimError('invalidValue', 'emails or userName must contain a valid email address.');
    if (await this.members.isVerified(tx, tx.write.orgId, email)) return email;
    throw scimError('invalidValue', `${emailDomain(email)} is not a verified domain of the organization.`);
  }

  /**
   * Activates a member: links the account of their address, or creates one. Returns the account's id. The caller calls
   * `reapplyRoles` after storing the id.
   * @throws ApiError 400
   */
  async activate(tx: OrganizationTransaction, person: ScimPerson, linked: string | null): Promise<string> {
    const { orgId } = tx.write;
    const email = await this.assertAddress(tx, person);
    const known = linked === null ? null : await this.accounts.lock(tx, linked);
    const account = known ?? (await this.accounts.lockByEmail(tx, email));
    if (account) await this.accounts.confirmEmail(tx, account);
    const userId =
      account?.id ?? (await this.accounts.create(tx, { email, name: person.name, origin: 'scim' }));
    await this.members.activate(tx, orgId, userId, 'scim', new Date(tx.nowMs()));
    if (account) await this.follow(tx, account, person);
    return userId;
  }

  /** Updates the account of an active person. @throws ApiError 400 for an address on another domain */
  async update(
    tx: OrganizationTransaction,
    before: ScimPerson,
    after: ScimPerson,
    userId: string | null,
  ): Promise<void> {
    if (after.email === null || after.email !== before.email) await this.assertAddress(tx, after);
    const account = userId === null ? null : await this.accounts.lock(tx, userId);
    if (account) await this.follow(tx, account, after);
  }

  /**
   * Handles an inactive person who was not provisioned before: a manually added member loses all access. Returns the
   * member's account, or null if there is none.
   * @throws ApiError 400
   */
  async settleInactive(tx: OrganizationTransaction, person: ScimPerson): Promise<string | null> {
    const email = await this.assertAddress(tx, person);
    const account = await this.accounts.lockByEmail(tx, email);
    if (!account || !(await this.members.find(tx, tx.write.orgId, account.id))) return null;
    await this.deactivate(tx, account.id);
    return account.id;
  }

  /** Revokes all access in one transaction. @throws ApiError 400 mutability for the last owner */
  async deactivate(tx: OrganizationTransaction, userId: string): Promise<void> {
    const { orgId } = tx.write;
    // Waits for a sign-in in progress, so that its session ends too.
    await this.accounts.lock(tx, userId);
    const member = await this.members.find(tx, orgId, userId);
    if (member?.role === 'owner' && member.active && !(await this.members.hasOtherOwner(tx, orgId, userId)))
      throw scimError(
        'mutability',
        'This is the last active owner of the organization; make another member an owner first.',
      );
    await this.members.deactivate(tx, orgId, userId);
    await this.roles.reapply(tx, orgId, { people: [userId] });
    await this.accounts.endSessions(tx, userId);
  }

  /** Re-applies organization and group roles after people were added or changed groups. */
  async reapplyRoles(tx: OrganizationTransaction, userIds: readonly string[]): Promise<void> {
    if (userIds.length > 0) await this.roles.reapply(tx, tx.write.orgId, { people: userIds });
  }

  /** Does not rename a person's own account, and never changes an address on another domain. */
  private async follow(
    tx: OrganizationTransaction,
    account: User,
    { email, name }: ScimPerson,
  ): Promise<void> {
    const changes: { name?: string; email?: string } = {};
    const isProvisioned = account.origin === 'scim' || account.origin === 'sso';
    if (isProvisioned && name !== null && name !== account.name) changes.name = name;
    const isMoved = email !== null && email !== account.email;
    if (isMoved && (await this.members.isVerified(tx, tx.write.orgId, account.email))) {
      if (await this.accounts.isFree(tx, email)) changes.email = email;
    }
    if (Object.keys(changes).length > 0) await this.accounts.update(tx, account.id, changes);
  }
}
