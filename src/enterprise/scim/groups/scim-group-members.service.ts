import { Injectable } from '@nestjs/common';
import type { OrganizationTransaction } from '../../access/organization-writes.service.js';
import { ScimPeopleService } from '../people/scim-people.service.js';
import type { MemberChange } from '../protocol/member-change.js';
import { scimError } from '../protocol/scim-error.js';
import type { ScimGroup } from './scim-group.entity.js';
import { ScimGroupMembersRepository } from './scim-group-members.repository.js';

const MAX_MEMBERS = 50_000;

/** Users who joined and left. */
export interface MembersChanged {
  joined: string[];
  left: string[];
}

/** The members of a group, and the roles that result. */
@Injectable()
export class ScimGroupMembersService {
  constructor(
    private readonly repository: ScimGroupMembersRepository,
    private readonly people: ScimPeopleService,
  ) {}

  /** Writes only the members that change. @throws ApiError 400 */
  async apply(tx: OrganizationTransaction, group: ScimGroup, change: MemberChange): Promise<MembersChanged> {
    const added = [...change.added];
    const unknown = added.length === 0 ? null : await this.repository.unknown(tx, group.orgId, added);
    if (unknown !== null)
      throw scimError('invalidValue', `${JSON.stringify(unknown)} is no user of the organization.`);
    const left = change.removesOthers
      ? await this.repository.removeOthers(tx, group, added)
      : await this.repository.remove(tx, group, [...change.removed]);
    const joined = added.length === 0 ? [] : await this.repository.add(tx, group, added);
    if (joined.length > 0 && (await this.repository.count(group, tx)) > MAX_MEMBERS)
      throw scimError('invalidValue', `A group has at most ${MAX_MEMBERS} members.`);
    return { joined, left };
  }

  /** Re-applies the roles of users who joined or left. */
  async reapply(tx: OrganizationTransaction, { joined, left }: MembersChanged): Promise<void> {
    const changed = [...joined, ...left];
    if (changed.length === 0) return;
    await this.people.reapplyRoles(tx, await this.repository.accountsOf(tx, tx.write.orgId, changed));
  }

  /** Re-applies the roles of all current members and of those who left. */
  async reapplyAll(tx: OrganizationTransaction, group: ScimGroup, { left }: MembersChanged): Promise<void> {
    const present = await this.repository.accountsIn(tx, group);
    const gone = left.length === 0 ? [] : await this.repository.accountsOf(tx, group.orgId, left);
    await this.people.reapplyRoles(tx, [...new Set([...present, ...gone])]);
  }

  /** Returns the accounts of all members of a group that is about to be deleted. */
  accountsIn(tx: OrganizationTransaction, group: ScimGroup): Promise<string[]> {
    return this.repository.accountsIn(tx, group);
  }

  /** Re-applies the roles of some accounts. */
  reapplyAccounts(tx: OrganizationTransaction, userIds: readonly string[]): Promise<void> {
    return this.people.reapplyRoles(tx, userIds);
  }
}
