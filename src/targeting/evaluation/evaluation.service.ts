import { Inject, Injectable } from '@nestjs/common';
import { alpha2Country, type Clock } from '../../../libs/kernel/index.js';
import {
  type CustomerFacts,
  decide,
  type Decision,
  explainExperiments,
  explainRule,
  flavorOf,
  platformOf,
  type Presentation,
  presentationOf,
  type TargetingRequest,
} from '../../../libs/targeting/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CustomerFactsService } from '../offerings/customer-facts.service.js';
import { termsOf } from '../rules/targeting-rule.policy.js';
import { TargetingRulesService } from '../rules/targeting-rules.service.js';
import type { EvaluateTargetingDto, TargetingEvaluationDto } from './evaluation.dto.js';
import { type Placement, PlacementsRepository } from './placements.repository.js';

/** Not the id of any customer, because customer ids never contain a slash. */
const NO_CUSTOMER = '/';

function presentSource(
  decision: Decision,
): Pick<TargetingEvaluationDto, 'source' | 'rule_id' | 'experiment_id' | 'experiment_variant'> {
  const none = { rule_id: null, experiment_id: null, experiment_variant: null };
  switch (decision.source) {
    case 'override':
      return { ...none, source: 'override' };
    case 'enrolled':
    case 'joins':
      return {
        ...none,
        source: 'experiment',
        experiment_id: decision.experiment.id,
        experiment_variant: decision.variant,
      };
    case 'rule':
      return { ...none, source: 'rule', rule_id: decision.rule.id };
    case 'default':
      return { ...none, source: 'default' };
  }
}

function presentPlacements({ fallback, placements }: Presentation): TargetingEvaluationDto['placements'] {
  return { fallback_offering_id: fallback, offering_ids_by_placement: Object.fromEntries(placements) };
}

/** Explains which offering a request would get. The customer is not enrolled in any experiment. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly rules: TargetingRulesService,
    private readonly customers: CustomerFactsService,
    private readonly catalogs: CatalogService,
    private readonly placementNames: PlacementsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 404 for an unknown app, 400 for an unknown country */
  async evaluate(projectId: string, body: EvaluateTargetingDto): Promise<TargetingEvaluationDto> {
    const catalog = await this.catalogs.getCurrent(projectId);
    if (!catalog.apps.has(body.app_id)) throw ApiError.missing('app', body.app_id, 'app_id');
    const { targeting } = catalog;
    const appUserId = body.app_user_id ?? NO_CUSTOMER;
    const stored = await this.customers.find(projectId, appUserId, targeting.attributes);
    const request = this.requestOf(body, appUserId, stored?.attributes ?? {});
    const isOverridden = catalog.offerings.get(stored?.overrideOfferingId ?? '')?.active;
    const facts: CustomerFacts = {
      originalAppUserId: appUserId,
      firstSeenAtMs: null,
      isBlocked: false,
      enrollments: [],
      left: [],
      ...stored,
      overrideOfferingId: isOverridden ? (stored?.overrideOfferingId ?? null) : null,
    };
    const nowMs = body.at ?? this.clock.nowMs();
    const decision = decide(targeting, { request, facts, nowMs, mayJoin: true });
    const presentation = presentationOf(decision, catalog.currentOffering?.id ?? null);
    return {
      object: 'targeting_evaluation',
      ...presentSource(decision),
      offering_id: presentation.current,
      placements: presentPlacements(presentation),
      rules: await this.explainRules(projectId, request, decision, nowMs),
      experiments: explainExperiments(targeting, request, facts).map((row) => ({
        id: row.experimentId,
        display_name: row.displayName,
        outcome: row.outcome,
      })),
    };
  }

  /** Placements that rules and experiments name, sorted by identifier, bytewise. */
  placements(projectId: string): Promise<Placement[]> {
    return this.placementNames.findInUse(projectId);
  }

  private async explainRules(
    projectId: string,
    request: TargetingRequest,
    decision: Decision,
    nowMs: number,
  ): Promise<TargetingEvaluationDto['rules']> {
    const takenId = decision.source === 'rule' ? decision.rule.id : null;
    return (await this.rules.all(projectId)).map(({ rule }) => {
      const { state, failedCondition } = explainRule(termsOf(rule), request, nowMs);
      const isLive = state === 'active';
      const outcome = !isLive
        ? 'not_live'
        : failedCondition !== null
          ? 'conditions'
          : rule.id === takenId
            ? 'taken'
            : 'not_reached';
      return {
        id: rule.id,
        display_name: rule.displayName,
        state,
        outcome,
        failed_condition: failedCondition,
      };
    });
  }

  private requestOf(
    body: EvaluateTargetingDto,
    appUserId: string,
    attributes: Record<string, string>,
  ): TargetingRequest {
    const country = alpha2Country(body.country);
    if (body.country && country === null)
      throw ApiError.parameter('country', 'country must be an ISO 3166 code of a country.');
    return {
      appUserId,
      appId: body.app_id,
      country,
      platform: platformOf(body.platform ?? null),
      appVersion: body.app_version ?? null,
      sdkFlavor: body.sdk_flavor ? flavorOf(body.sdk_flavor) : null,
      sdkVersion: body.sdk_version ?? null,
      attributes: new Map(Object.entries(attributes)),
    };
  }
}
