import { Injectable } from '@nestjs/common';
import { isSameJson, type JsonObject, newId } from '../../../../libs/kernel/index.js';
import { violatedUnique } from '../../../platform/database/database-errors.js';
import { changesBetween } from '../../access/organization-changes.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../../access/organization-writes.service.js';
import { ScimPeopleService } from '../people/scim-people.service.js';
import { addressesOf } from '../protocol/counting-address.js';
import type { PatchOperation } from '../protocol/patch-body.js';
import { patched } from '../protocol/patch-engine.js';
import { userType } from '../protocol/resource-type.js';
import { notUnique } from '../protocol/scim-error.js';
import { ENTERPRISE_USER_SCHEMA } from '../protocol/user-schema.js';
import { assertComplete, resourceOf } from '../protocol/values.js';
import { assertVersion } from '../shared/versions.js';
import { personOf } from './scim-person.policy.js';
import type { ScimUser } from './scim-user.entity.js';
import { ScimUsersRepository } from './scim-users.repository.js';

/** Fields whose values are audited. Excludes postal addresses, telephone numbers and pictures. */
const recordedFields = [
  'active',
  'userName',
  'externalId',
  'displayName',
  'name',
  'nickName',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
  'emails',
  ENTERPRISE_USER_SCHEMA,
];

/** Maps a resource to its row, without columns that the database sets. */
function described(
  resource: JsonObject,
): Pick<ScimUser, 'userName' | 'externalId' | 'active' | 'email' | 'resource'> {
  const { userName, externalId, active } = resource;
  return {
    userName: userName as string,
    externalId: (externalId as string | undefined) ?? null,
    active: active === true,
    email: personOf(resource).email,
    resource,
  };
}

/** People as identity providers describe them, and the resulting access. */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly repository: ScimUsersRepository,
    private readonly people: ScimPeopleService,
    private readonly writes: OrganizationWritesService,
  ) {}

  /** @throws ApiError 400, 409 */
  create(write: OrganizationWrite, body: unknown): Promise<ScimUser> {
    const resource = { active: true, ...resourceOf(userType, body) };
    assertComplete(userType, resource);
    return this.alone(write, async (tx) => {
      const createdAt = new Date(tx.nowMs());
      const user: ScimUser = {
        orgId: write.orgId,
        id: newId('scimUser', createdAt.getTime()),
        userId: null,
        ...described(resource),
        version: 1,
        createdAt,
        updatedAt: createdAt,
      };
      await this.assertAddressFree(tx, user);
      user.userId = await (user.active ? this.activate(tx, user) : this.settleInactive(tx, user));
      await this.repository.insert(tx, user, addressesOf(resource));
      if (user.active && user.userId !== null) await this.people.reapplyRoles(tx, [user.userId]);
      const data = { user_name: user.userName, email: user.email, active: user.active };
      await tx.audit({ action: 'scim_user_created', target: 'scim_user', targetId: user.id, data });
      return user;
    });
  }

  /** @throws ApiError 400, 404, 409, 412 */
  replace(write: OrganizationWrite, id: string, body: unknown, ifMatch?: string): Promise<ScimUser> {
    const given = resourceOf(userType, body);
    return this.change(write, id, ifMatch, () => given);
  }

  /** @throws ApiError 400, 404, 409, 412 */
  patch(
    write: OrganizationWrite,
    id: string,
    operations: readonly PatchOperation[],
    ifMatch?: string,
  ): Promise<ScimUser> {
    return this.change(write, id, ifMatch, (resource) => patched(userType, resource, operations));
  }

  /** Keeps the account and the audit log. @throws ApiError 400, 404, 412 */
  delete(write: OrganizationWrite, id: string, ifMatch?: string): Promise<void> {
    return this.alone(write, async (tx) => {
      const user = await this.locked(tx, id, ifMatch);
      if (user.active && user.userId !== null) await this.people.deactivate(tx, user.userId);
      await this.repository.delete(tx, write.orgId, id);
      const data = { user_name: user.userName, email: user.email };
      await tx.audit({ action: 'scim_user_deleted', target: 'scim_user', targetId: id, data });
    });
  }

  private change(
    write: OrganizationWrite,
    id: string,
    ifMatch: string | undefined,
    next: (resource: JsonObject) => JsonObject,
  ): Promise<ScimUser> {
    return this.alone(write, async (tx) => {
      const before = await this.locked(tx, id, ifMatch);
      // Keeps the value if the client omits it; omission must not grant access.
      const resource = { active: before.active, ...next(before.resource) };
      assertComplete(userType, resource);
      if (isSameJson(resource, before.resource)) return before;
      const after = {
        ...before,
        ...described(resource),
        version: Number(before.version) + 1,
        updatedAt: new Date(tx.nowMs()),
      };
      if (after.email !== before.email) await this.assertAddressFree(tx, after);
      const action = await this.apply(tx, before, after);
      await this.repository.update(tx, after, addressesOf(resource));
      if (action === 'scim_user_reactivated' && after.userId !== null)
        await this.people.reapplyRoles(tx, [after.userId]);
      const data = {
        user_name: after.userName,
        changes: changesBetween(before.resource, resource, recordedFields),
      };
      await tx.audit({ action, target: 'scim_user', targetId: id, data });
      return after;
    });
  }

  /** Applies the change to the person. Sets the account of `after`. */
  private async apply(tx: OrganizationTransaction, before: ScimUser, after: ScimUser) {
    if (before.active && !after.active) {
      if (before.userId !== null) await this.people.deactivate(tx, before.userId);
      return 'scim_user_deactivated' as const;
    }
    if (!before.active && after.active) {
      after.userId = await this.activate(tx, after);
      return 'scim_user_reactivated' as const;
    }
    if (!after.active && after.userId === null && after.email !== before.email) {
      after.userId = await this.settleInactive(tx, after);
      return 'scim_user_updated' as const;
    }
    const account = after.active ? after.userId : null;
    await this.people.update(tx, personOf(before.resource), personOf(after.resource), account);
    return 'scim_user_updated' as const;
  }

  /** Returns the account's id. @throws ApiError 400, 409 if another user is linked to it */
  private async activate(tx: OrganizationTransaction, user: ScimUser): Promise<string> {
    const userId = await this.people.activate(tx, personOf(user.resource), user.userId);
    if (await this.repository.isAccountTaken(tx, user, userId)) throw addressTaken();
    return userId;
  }

  /** Returns the account of a deactivated member. @throws ApiError 400, 409 if another user is linked to it */
  private async settleInactive(tx: OrganizationTransaction, user: ScimUser): Promise<string | null> {
    const userId = await this.people.settleInactive(tx, personOf(user.resource));
    if (userId !== null && (await this.repository.isAccountTaken(tx, user, userId))) throw addressTaken();
    return userId;
  }

  private async assertAddressFree(tx: OrganizationTransaction, user: ScimUser): Promise<void> {
    if (await this.repository.isAddressTaken(tx, user)) throw addressTaken();
  }

  /** @throws ApiError 404, 412 */
  private async locked(tx: OrganizationTransaction, id: string, ifMatch?: string): Promise<ScimUser> {
    const user = await this.repository.lock(tx, tx.write.orgId, id);
    if (!user) throw missingInOrganization('user', id);
    assertVersion(ifMatch, user.version);
    return user;
  }

  /** Runs requests one at a time per organization. @throws ApiError 409 for a used userName */
  private async alone<T>(
    write: OrganizationWrite,
    work: (tx: OrganizationTransaction) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.writes.runAlone(write, work);
    } catch (error) {
      if (violatedUnique(error) === 'scim_users_name_unique')
        throw notUnique('userName', 'Another user of the organization has this userName.');
      throw error;
    }
  }
}

function addressTaken(): Error {
  return notUnique('emails', 'Another user of the organization has this email address.');
}
