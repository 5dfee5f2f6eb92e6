import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { OrganizationWritesService } from '../access/organization-writes.service.js';
import { effectiveRole } from './effective-role.policy.js';
import { highestRole, type RankedRole } from './highest-role.policy.js';
import {
  type Pair,
  RoleApplicationRepository,
  type RoleScope,
  type WantedRole,
} from './role-application.repository.js';

/** The membership that a pair should have; null: none. */
function wantedOf(pair: Pair, customRoles: ReadonlyMap<string, RankedRole>): WantedRole | null {
  const { projectId, userId, manualRole, mappedRoles } = pair;
  const found = effectiveRole({ ...pair, mappedRole: highestRole(mappedRoles, projectId, customRoles) });
  return found && { projectId, userId, ...found, manualRole: found.source === 'manual' ? null : manualRole };
}

/** A person whose place is given by hand has no remembered role besides it. */
function isAsWanted({ role, source, manualRole }: Pair, wanted: WantedRole): boolean {
  return (
    role === wanted.role &&
    source === wanted.source &&
    (source === 'manual' || manualRole === wanted.manualRole)
  );
}

/** Gives people the roles in an organization's projects that its rules say. */
@Injectable()
export class RoleApplicationService {
  constructor(
    private readonly repository: RoleApplicationRepository,
    private readonly writes: OrganizationWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Applies the rules to some people and projects (absent: all) after a change of who they are or what they belong to,
   * in its transaction. Returns how many memberships changed.
   */
  async reapply(tx: Transaction, orgId: string, scope: RoleScope = {}): Promise<number> {
    // Two changes at once would each leave out what the other one gives.
    await this.writes.lock(tx, orgId);
    const pairs = await this.repository.pairs(tx, orgId, scope);
    const customRoles = await this.repository.customRoles(tx, orgId);
    const wanted: WantedRole[] = [];
    const gone: Pair[] = [];
    for (const pair of pairs) {
      const after = wantedOf(pair, customRoles);
      if (after === null) gone.push(pair);
      else if (!isAsWanted(pair, after)) wanted.push(after);
    }
    const leaving = gone.filter(({ role }) => role !== null);
    await this.repository.remove(tx, leaving);
    await this.repository.set(tx, wanted, new Date(this.clock.nowMs()));
    return wanted.length + leaving.length;
  }
}
