import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { normalizeEmail } from '../../platform/http/bodies/email.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { mailAfterCommit } from '../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import type { OrganizationContext } from '../access/organization-context.js';
import { missingInOrganization } from '../access/organization-errors.js';
import type { OrganizationRole } from '../access/organization-role.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../access/organization-writes.service.js';
import { RoleApplicationService } from '../roles/role-application.service.js';
import { memberAddedMail } from './member-added.mail.js';
import { type ListedMember, MembersRepository } from './members.repository.js';

const additionsOfPerson: RateLimit = { name: 'organization_additions', max: 30, windowMs: 3_600_000 };

type Caller = Pick<OrganizationContext, 'userId' | 'role'>;

function onlyOwners(): ApiError {
  return new ApiError('forbidden', 'Only owners of the organization can add or remove owners.');
}

/** Runs changes one at a time per organization, so that two owners cannot demote each other. */
@Injectable()
export class MembersService {
  constructor(
    private readonly repository: MembersRepository,
    private readonly roles: RoleApplicationService,
    private readonly writes: OrganizationWritesService,
    private readonly limiter: RateLimiterService,
    private readonly mails: MailsService,
    private readonly config: Config,
  ) {}

  /** Returns up to `limit + 1` members, oldest first. @throws ApiError 400 if `page.after` is not a member */
  async page(orgId: string, page: PageRequest): Promise<ListedMember[]> {
    const after = await startOf(page.after, ['time'], async (userId) => {
      const member = await this.repository.find(orgId, userId);
      return member && [member.createdAt, userId];
    });
    return this.repository.page(orgId, page, after);
  }

  /**
   * Emails the person, naming the caller. Calls are limited because the answers reveal which addresses have accounts.
   * @throws ApiError 403, 404 for an address without an account, 409 for a member, 429
   */
  async add(
    write: OrganizationWrite,
    caller: Caller,
    { email: address, role = 'member' }: { email: string; role?: OrganizationRole },
  ): Promise<ListedMember> {
    const { orgId } = write;
    const email = normalizeEmail(address);
    if (role === 'owner' && caller.role !== 'owner') throw onlyOwners();
    await this.limiter.count([additionsOfPerson, caller.userId]);
    return this.writes.runAlone(write, async (tx) => {
      const userId = await this.repository.findAccount(tx, email);
      if (userId === null) throw noAccount();
      const present = await this.repository.find(orgId, userId, tx);
      if (present) {
        const message = present.active
          ? 'The person is already a member.'
          : 'The identity provider of the organization has deactivated the person.';
        throw ApiError.alreadyExists('email', message);
      }
      const createdAt = new Date(tx.nowMs());
      await this.repository.insert(tx, { orgId, userId, role, source: 'manual', createdAt });
      await this.roles.reapply(tx, orgId, { people: [userId] });
      await tx.audit({ action: 'member_added', target: 'member', targetId: userId, data: { email, role } });
      await this.mailAdded(tx, caller, { userId, email, role });
      return this.found(tx, userId);
    });
  }

  private async mailAdded(
    tx: OrganizationTransaction,
    { userId: callerId }: Caller,
    { userId, email, role }: { userId: string; email: string; role: OrganizationRole },
  ): Promise<void> {
    const { orgId } = tx.write;
    const by = await this.found(tx, callerId);
    const organization = await this.repository.nameOf(tx, orgId);
    const content = memberAddedMail({ organization, role, by, baseUrl: this.config.baseUrl });
    await mailAfterCommit(this.mails, tx, { tenantId: userId, kind: 'member_added', to: email, content });
  }

  /** @throws ApiError 403, 404, 400 for the last owner, 422 for a deactivated member */
  changeRole(
    write: OrganizationWrite,
    caller: Caller,
    userId: string,
    role: OrganizationRole,
  ): Promise<ListedMember> {
    const { orgId } = write;
    return this.writes.runAlone(write, async (tx) => {
      const member = await this.found(tx, userId);
      const isOfOwners = role === 'owner' || member.role === 'owner';
      if (isOfOwners && !(await this.isOwner(tx, caller))) throw onlyOwners();
      if (role === member.role) return member;
      if (member.role === 'owner' && !(await this.repository.hasOtherOwner(tx, orgId, userId)))
        throw ApiError.parameter('role', 'An organization needs an owner, and this person is the only one.');
      if (!member.active)
        throw new ApiError(
          'impossible',
          'The identity provider of the organization has deactivated the person.',
        );
      await this.repository.setRole(tx, orgId, userId, role);
      await this.roles.reapply(tx, orgId, { people: [userId] });
      await tx.audit({
        action: 'member_role_changed',
        target: 'member',
        targetId: userId,
        data: { email: member.email, changes: { role: [member.role, role] } },
      });
      return this.found(tx, userId);
    });
  }

  /** Returns the time of the removal (epoch ms). @throws ApiError 403, 404, 422 for the last owner */
  remove(write: OrganizationWrite, caller: Caller, userId: string): Promise<number> {
    const { orgId } = write;
    const isSelf = userId === caller.userId;
    if (!isSelf && caller.role === 'member') {
      const message = 'Only owners and admins of the organization can remove others; your role is member.';
      throw new ApiError('forbidden', message);
    }
    return this.writes.runAlone(write, async (tx) => {
      const member = await this.found(tx, userId);
      if (!isSelf && member.role === 'owner' && !(await this.isOwner(tx, caller))) throw onlyOwners();
      if (member.role === 'owner' && !(await this.repository.hasOtherOwner(tx, orgId, userId))) {
        const message = 'The only owner of an organization can neither leave nor be removed.';
        throw new ApiError('impossible', message);
      }
      await this.repository.remove(tx, orgId, userId);
      // The project may have lost its last admin.
      await this.roles.reapply(tx, orgId);
      const { email, role } = member;
      await tx.audit({ action: 'member_removed', target: 'member', targetId: userId, data: { email, role } });
      return tx.nowMs();
    });
  }

  /** Reads the role again, because another request may have demoted the caller since the guard ran. */
  private async isOwner(tx: OrganizationTransaction, { userId }: Caller): Promise<boolean> {
    const member = await this.repository.find(tx.write.orgId, userId, tx);
    return member?.role === 'owner' && member.active;
  }

  private async found(tx: OrganizationTransaction, userId: string): Promise<ListedMember> {
    const member = await this.repository.find(tx.write.orgId, userId, tx);
    if (!member) throw missingInOrganization('member', userId);
    return member;
  }
}

function noAccount(): ApiError {
  const message = 'This address has no account. Invite the person to a project, or let them sign up first.';
  return new ApiError('missing', message, { param: 'email' });
}
