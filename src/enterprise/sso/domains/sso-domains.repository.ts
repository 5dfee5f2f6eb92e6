import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import type { Place } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { SsoDomain } from './sso-domain.entity.js';

const page = statement(
  'sso_domains.page',
  `SELECT org_id AS "orgId", domain, token, verified_at AS "verifiedAt", last_checked_at AS "lastCheckedAt",
     last_error AS "lastError", created_at AS "createdAt"
   FROM sso_domains
   WHERE org_id = $1 AND ($2::timestamptz IS NULL OR (created_at, domain) > ($2, $3::text))
   ORDER BY created_at, domain LIMIT $4`,
);

const verifiedByOther = statement(
  'sso_domains.verified_by_other',
  'SELECT FROM sso_domains WHERE domain = $1 AND org_id <> $2 AND verified_at IS NOT NULL',
);

const wouldLeaveEnforced = statement(
  'sso_domains.would_leave_enforced',
  `SELECT FROM organizations o WHERE o.id = $1 AND o.sso_enforced AND NOT EXISTS (
     SELECT FROM sso_domains d WHERE d.org_id = $1 AND d.verified_at IS NOT NULL AND d.domain <> $2)`,
);

@Injectable()
export class SsoDomainsRepository {
  constructor(
    @InjectRepository(SsoDomain) private readonly domains: Repository<SsoDomain>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, domain: SsoDomain): Promise<void> {
    await onTransaction(this.domains, tx).insert(domain);
  }

  async update(tx: Transaction, { orgId, domain, ...fields }: SsoDomain): Promise<void> {
    await onTransaction(this.domains, tx).update({ orgId, domain }, fields);
  }

  async delete(tx: Transaction, orgId: string, domain: string): Promise<void> {
    await onTransaction(this.domains, tx).delete({ orgId, domain });
  }

  find(orgId: string, domain: string, executor?: Executor): Promise<SsoDomain | null> {
    return onTransaction(this.domains, executor).findOneBy({ orgId, domain });
  }

  lock(tx: Transaction, orgId: string, domain: string): Promise<SsoDomain | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.domains, tx).findOne({ where: { orgId, domain }, lock });
  }

  count(tx: Transaction, orgId: string): Promise<number> {
    return onTransaction(this.domains, tx).countBy({ orgId });
  }

  async isVerifiedByOther(tx: Transaction, orgId: string, domain: string): Promise<boolean> {
    return (await tx.query(verifiedByOther, [domain, orgId])).length > 0;
  }

  /** Whether single sign-on is enforced and the organization has no other verified domain. */
  async isLastOfEnforced(tx: Transaction, orgId: string, domain: string): Promise<boolean> {
    return (await tx.query(wouldLeaveEnforced, [orgId, domain])).length > 0;
  }

  /** Returns up to `limit + 1` rows, oldest first. */
  page(orgId: string, { limit }: PageRequest, after: Place | null): Promise<SsoDomain[]> {
    return this.database.query(page, [orgId, ...(after ?? [null, null]), limit + 1]);
  }
}
