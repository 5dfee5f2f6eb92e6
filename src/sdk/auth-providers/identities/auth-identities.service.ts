import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { AuthIdentitiesRepository, type IdentityKey } from './auth-identities.repository.js';

/** An identity, with the app user id that its provider's settings map it to now. */
export type MappedIdentity = IdentityKey & { mappedAppUserId: string };

@Injectable()
export class AuthIdentitiesService {
  constructor(
    private readonly repository: AuthIdentitiesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Counts a sign-in. An identity that is not known yet gets the mapped app user id for good; of two first sign-ins at
   * once, both get the id of the first.
   * @throws ApiError 403 (7224) if the provider was deleted or turned off meanwhile
   */
  async signedIn(
    tx: Transaction,
    projectId: string,
    { mappedAppUserId, ...key }: MappedIdentity,
  ): Promise<{ appUserId: string; isNew: boolean }> {
    const now = new Date(this.clock.nowMs());
    const identity = await this.repository.signedIn(tx, projectId, key, mappedAppUserId, now);
    if (identity) return identity;
    throw new ApiError('forbidden', 'The provider was deleted or turned off.', { code: 7224 });
  }
}
