import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { type RefundPolicyTerms, compileRefundPolicies } from '../../../../libs/targeting/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { RefundPoliciesService } from '../../refund-policies/refund-policies.service.js';
import { PREVIEW_DAYS, type PreviewRefundPoliciesDto } from './refund-preview.dto.js';
import { addToPreview, emptyPreview, type RefundPreview } from './refund-preview.policy.js';
import { RefundReportsRepository } from './refund-reports.repository.js';

const DAY_MS = 86_400_000;
const BATCH = 1_000;

export interface PreviewOfPolicies {
  /** In order of evaluation. */
  policies: RefundPolicyTerms[];
  preview: RefundPreview;
}

/** Decides about past requests again, with the values that were stored with them. */
@Injectable()
export class RefundPreviewService {
  constructor(
    private readonly repository: RefundReportsRepository,
    private readonly policies: RefundPoliciesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400 naming an invalid condition of a draft */
  async preview(
    projectId: string,
    { policies: drafts, days = PREVIEW_DAYS }: PreviewRefundPoliciesDto,
  ): Promise<PreviewOfPolicies> {
    const policies = await (drafts
      ? this.policies.draftTerms(projectId, drafts)
      : this.policies.savedTerms(projectId));
    const compiled = compileRefundPolicies(policies);
    const preview = emptyPreview(policies.map(({ id }) => id));
    const since = new Date(this.clock.nowMs() - days * DAY_MS);
    let batch = await this.repository.previewed(projectId, since, null, BATCH);
    for (;;) {
      for (const request of batch) addToPreview(preview, compiled, request);
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) return { policies, preview };
      batch = await this.repository.previewed(projectId, since, last, BATCH);
    }
  }
}
