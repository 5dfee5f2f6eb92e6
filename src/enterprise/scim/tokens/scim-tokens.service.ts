import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, newScimToken } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { ScimTokens } from '../../../platform/auth/issued-tokens/scim-tokens.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { placeByCreation, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { ScimTokenPrincipal } from '../../../platform/principal/principal.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { OrganizationWritesService } from '../../access/organization-writes.service.js';
import type { ScimToken } from './scim-token.entity.js';
import { ScimTokensRepository } from './scim-tokens.repository.js';

const PREFIX_LENGTH = 13;
const TOUCH_AFTER_MS = 60_000;

export type ListedScimToken = Omit<ScimToken, 'tokenHash'>;

/** Tokens that identity providers use to provision an organization. */
@Injectable()
export class ScimTokensService extends ScimTokens {
  constructor(
    private readonly repository: ScimTokensRepository,
    private readonly writes: OrganizationWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  /** Also returns the token itself, which is not stored. */
  async create(write: OrganizationWrite, name: string): Promise<{ row: ListedScimToken; token: string }> {
    const token = newScimToken();
    const createdAt = new Date(this.clock.nowMs());
    const row = {
      orgId: write.orgId,
      id: newId('scimToken', createdAt.getTime()),
      name,
      prefix: token.slice(0, PREFIX_LENGTH),
      tokenHash: credentialHash(token),
      createdBy: write.actor.id,
      createdAt,
      lastUsedAt: null,
      revokedAt: null,
    };
    await this.writes.run(write, async (tx) => {
      await this.repository.insert(tx, row);
      await tx.audit({
        action: 'scim_token_created',
        target: 'scim_token',
        targetId: row.id,
        data: { name },
      });
    });
    return { row, token };
  }

  /** Returns up to `limit + 1` tokens, oldest first. @throws ApiError 400 if `page.after` is not one of them */
  async page(orgId: string, page: PageRequest): Promise<ListedScimToken[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(orgId, id);
      return found && placeByCreation(found);
    });
    return this.repository.page(orgId, page, after);
  }

  /** Does not change a token that is already revoked. @throws ApiError 404 */
  revoke(write: OrganizationWrite, id: string): Promise<ListedScimToken> {
    return this.writes.runAlone(write, async (tx) => {
      const token = await this.repository.find(write.orgId, id, tx);
      if (!token) throw missingInOrganization('SCIM token', id);
      if (token.revokedAt) return token;
      const revokedAt = new Date(tx.nowMs());
      await this.repository.revoke(tx, write.orgId, id, revokedAt);
      const { name } = token;
      await tx.audit({ action: 'scim_token_revoked', target: 'scim_token', targetId: id, data: { name } });
      return { ...token, revokedAt };
    });
  }

  async find(token: string): Promise<ScimTokenPrincipal | null> {
    const found = await this.repository.findByHash(credentialHash(token));
    if (!found) return null;
    const now = new Date(this.clock.nowMs());
    const { orgId, id, lastUsedAt } = found;
    if (now.getTime() - (lastUsedAt?.getTime() ?? 0) > TOUCH_AFTER_MS)
      await this.repository.touch(orgId, id, now);
    return { kind: 'scim_token', organizationId: orgId, tokenId: id };
  }
}
