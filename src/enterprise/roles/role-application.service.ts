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

/** Returns the membership that a pair should have, or null. */
function wantedOf(pair: Pair, customRoles: ReadonlyMap<string, RankedRole>): WantedRole | null {
  const { projectId, userId, manualRole, mappedRoles } = pair;
  const found = effectiveRole({ ...pair, mappedRole: highestRole(mappedRoles, projectId, customRoles) });
  return found && { projectId, userId, ...found, manualRole: found.source === 'manual' ? null : manualRole };
}

/** A manually assigned role is not also stored as the person's manual role. */
function isAsWanted({ role, source, manualRole }: Pair, wanted: WantedRole): boolean {
  return (
    role === wanted.role &&
    source === wanted.source &&
    (source === 'manual' || manualRole === wanted.manualRole)
  );
}

/** Applies an organization's rules to people's roles in its projects. */
@Injectable()
export class RoleApplicationService {
  constructor(
    private readonly repository: RoleApplicationRepository,
    private readonly writes: OrganizationWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Applies the rules to some people and projects (absent: all) in the transaction that changed them. Returns the
   * number of changed memberships.
   */
  async reapply(tx: Transaction, orgId: string, scope: RoleScope = {}): Promise<number> {
    // Of two concurrent changes, each would miss the other's memberships.
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
