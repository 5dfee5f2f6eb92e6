import { Injectable } from '@nestjs/common';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { OrganizationWritesService } from '../../access/organization-writes.service.js';
import type { OrganizationActor } from '../../access/organization-write.js';
import type { SsoConnection } from '../connections/sso-connection.entity.js';
import type { SsoRefused } from '../shared/sso-reasons.js';
import { SsoMetrics } from './sso.metrics.js';

/** Anyone can start a sign-in and send nonsense as its answer: that must not fill the audit log. */
const rows: RateLimit = { name: 'sso_refusal_connection', max: 100, windowMs: 3_600_000 };

/** Records why sign-ins were refused, for the administrators of the organization. */
@Injectable()
export class SsoRefusalsService {
  constructor(
    private readonly writes: OrganizationWritesService,
    private readonly limiter: RateLimiterService,
    private readonly metrics: SsoMetrics,
  ) {}

  /** Counts every refusal; strangers, and more than 100 refusals of a connection in an hour, get no audit row. */
  async record({ orgId, id }: SsoConnection, requestId: string, refused: SsoRefused): Promise<void> {
    const { reason, email, isStranger, details } = refused;
    this.metrics.refused(reason);
    if (isStranger || !(await this.limiter.hit(rows, orgId, id)).allowed) return;
    const actor: OrganizationActor = { type: 'sso', id, email: null };
    await this.writes.run({ orgId, actor, requestId }, (tx) =>
      tx.audit({
        action: 'sso_sign_in_failed',
        target: 'sso_connection',
        targetId: id,
        data: { reason, email, ...details },
      }),
    );
  }
}
