import { Injectable } from '@nestjs/common';
import { type VariantId, variantIds } from '../../../libs/targeting/index.js';
import { OfferingsService } from '../../catalog/offerings/offerings.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { TargetingRulesService } from '../rules/targeting-rules.service.js';
import type { WinnerRollout } from './experiment.dto.js';
import type { Experiment } from './experiment.entity.js';

/** Shows a winner's offering to more customers than the experiment had. */
@Injectable()
export class WinnerRollouts {
  constructor(
    private readonly offerings: OfferingsService,
    private readonly rules: TargetingRulesService,
    private readonly catalogs: CatalogService,
  ) {}

  async appIds(projectId: string): Promise<ReadonlySet<string>> {
    return new Set((await this.catalogs.getCurrent(projectId)).apps.keys());
  }

  /** The caller has raised the catalog version. Returns the changes for the audit log. */
  async apply(
    tx: WriteTransaction,
    experiment: Experiment,
    variant: VariantId,
    rollout: WinnerRollout,
    appIds: ReadonlySet<string>,
  ): Promise<{ offering_id?: string; rule_id?: string }> {
    const offeringId = experiment.offerings[variantIds.indexOf(variant)] as string;
    if (rollout === 'none') return {};
    if (rollout === 'default_offering') {
      await this.offerings.makeCurrentIn(tx, offeringId);
      return { offering_id: offeringId };
    }
    const { placements, conditions, displayName } = experiment;
    const body = {
      display_name: displayName,
      offering_id: offeringId,
      state: 'inactive' as const,
      conditions,
      placements: placements && {
        fallback_offering_id: placements.fallback[variant] ?? offeringId,
        placement_offerings: placements.offerings.flatMap(({ placementIdentifier, offerings }) => {
          const shown = offerings[variant];
          return shown === undefined
            ? []
            : [{ placement_identifier: placementIdentifier, offering_id: shown }];
        }),
      },
    };
    const rule = await this.rules.createIn(tx, body, appIds);
    return { rule_id: rule.id };
  }
}
