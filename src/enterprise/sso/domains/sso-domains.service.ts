import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { violatedUnique } from '../../../platform/database/database-errors.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type Place, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { OrganizationWritesService } from '../../access/organization-writes.service.js';
import { normalizeDomain, txtProblem } from './domain.policy.js';
import type { SsoDomain } from './sso-domain.entity.js';
import { txtRecordOf } from './sso-domain.presenter.js';
import { SsoDomainsRepository } from './sso-domains.repository.js';
import { TxtRecordsClient } from './txt-records.client.js';

const MAX_DOMAINS = 100;
const checks: RateLimit = { name: 'sso_domain_checks', max: 10, windowMs: 60_000 };

export interface CheckedDomain {
  domain: SsoDomain;
  found: string[];
}

export function placeOfDomain({ createdAt, domain }: SsoDomain): Place {
  return [createdAt, domain];
}

/** An organization's email domains, each verified by a TXT record. */
@Injectable()
export class SsoDomainsService {
  constructor(
    private readonly repository: SsoDomainsRepository,
    private readonly writes: OrganizationWritesService,
    private readonly txtRecords: TxtRecordsClient,
    private readonly limiter: RateLimiterService,
    private readonly config: Config,
  ) {}

  /** `isNew` is false if the organization already has the domain. @throws ApiError 400, 409, 422 */
  add(write: OrganizationWrite, text: string): Promise<{ domain: SsoDomain; isNew: boolean }> {
    const { orgId } = write;
    const name = domainOrProblem(text);
    return this.writes.runAlone(write, async (tx) => {
      const present = await this.repository.find(orgId, name, tx);
      if (present) return { domain: present, isNew: false };
      if (await this.repository.isVerifiedByOther(tx, orgId, name)) throw takenByOther();
      if ((await this.repository.count(tx, orgId)) >= MAX_DOMAINS) {
        throw new ApiError('impossible', `An organization has at most ${MAX_DOMAINS} domains.`);
      }
      const domain = {
        orgId,
        domain: name,
        token: randomBytes(16).toString('hex'),
        verifiedAt: null,
        lastCheckedAt: null,
        lastError: null,
        createdAt: new Date(tx.nowMs()),
      };
      await this.repository.insert(tx, domain);
      await tx.audit({ action: 'sso_domain_added', target: 'sso_domain', targetId: name });
      return { domain, isNew: true };
    });
  }

  /**
   * Looks up the record. A verified domain remains verified, whatever the lookup finds.
   * @throws ApiError 404, 409 if another organization was faster, 429
   */
  async check(write: OrganizationWrite, text: string): Promise<CheckedDomain> {
    const { orgId } = write;
    const name = await this.existing(orgId, text);
    const { allowed, resetsAt } = await this.limiter.hit(checks, orgId, '');
    if (!allowed) throw this.limiter.refusal('At most ten checks a minute. Try again later.', resetsAt);
    const { value, name: recordName } = txtRecordOf(name, this.config.ssoTxtPrefix);
    // Runs outside a transaction, because name servers can be slow.
    const found = await this.txtRecords.find(recordName);
    const problem = found === null ? 'dns_error' : txtProblem(found, value);
    const domain = await this.record(write, name.domain, problem);
    return { domain, found: found ?? [] };
  }

  private record(
    write: OrganizationWrite,
    name: string,
    problem: SsoDomain['lastError'],
  ): Promise<SsoDomain> {
    const { orgId } = write;
    return this.writes.run(write, async (tx) => {
      const present = await this.repository.lock(tx, orgId, name);
      if (!present) throw missing(name);
      const now = new Date(tx.nowMs());
      const becomesVerified = problem === null && present.verifiedAt === null;
      const domain = {
        ...present,
        lastCheckedAt: now,
        lastError: problem,
        verifiedAt: becomesVerified ? now : present.verifiedAt,
      };
      if (becomesVerified && (await this.repository.isVerifiedByOther(tx, orgId, name))) throw takenByOther();
      await orTakenByOther(this.repository.update(tx, domain));
      if (becomesVerified) {
        await tx.audit({ action: 'sso_domain_verified', target: 'sso_domain', targetId: name });
      }
      return domain;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404, 422 if it is the last one while single sign-on is enforced */
  async delete(write: OrganizationWrite, text: string): Promise<{ domain: string; deletedAtMs: number }> {
    const { orgId } = write;
    const { domain: name } = await this.existing(orgId, text);
    return this.writes.runAlone(write, async (tx) => {
      const present = await this.repository.lock(tx, orgId, name);
      if (!present) throw missing(name);
      if (present.verifiedAt !== null && (await this.repository.isLastOfEnforced(tx, orgId, name))) {
        throw new ApiError(
          'impossible',
          'Single sign-on is enforced, and this is the last verified domain. Stop enforcing it first.',
        );
      }
      await this.repository.delete(tx, orgId, name);
      const data = { verified: present.verifiedAt !== null };
      await tx.audit({ action: 'sso_domain_removed', target: 'sso_domain', targetId: name, data });
      return { domain: name, deletedAtMs: tx.nowMs() };
    });
  }

  /** Returns up to `limit + 1` domains, oldest first. @throws ApiError 400 if `page.after` is not the organization's */
  async page(orgId: string, page: PageRequest): Promise<SsoDomain[]> {
    const after = await startOf(page.after, ['time'], async (name) => {
      const domain = await this.repository.find(orgId, name);
      return domain && placeOfDomain(domain);
    });
    return this.repository.page(orgId, page, after);
  }

  private async existing(orgId: string, text: string): Promise<SsoDomain> {
    const normalized = normalizeDomain(text);
    const domain = 'domain' in normalized ? await this.repository.find(orgId, normalized.domain) : null;
    if (!domain) throw missing(text);
    return domain;
  }
}

function domainOrProblem(text: string): string {
  const normalized = normalizeDomain(text);
  if ('problem' in normalized) throw ApiError.parameter('domain', `domain ${normalized.problem}.`);
  return normalized.domain;
}

function missing(domain: string): ApiError {
  return missingInOrganization('SSO domain', domain);
}

function takenByOther(): ApiError {
  return ApiError.alreadyExists('domain', 'Another organization has verified this domain.');
}

async function orTakenByOther(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (violatedUnique(error) !== 'sso_domains_verified') throw error;
    throw takenByOther();
  }
}
