import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock, JsonObject } from '../../../libs/kernel/index.js';
import {
  blobRefsIn,
  blobsUrl,
  type PaywallProblem,
  problemsOf,
  toOutput,
} from '../../../libs/paywalls/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { Offering } from '../offerings/offering.entity.js';
import { MediaAssetsService } from '../media-assets/media-assets.service.js';
import { OfferingsService } from '../offerings/offerings.service.js';
import { PackagesService } from '../packages/packages.service.js';
import { PaywallSettingsRepository } from './paywall-settings.repository.js';

/** A document of a paywall, in its stored form. */
export interface CheckedContent {
  offering: Offering;
  paywallId: string;
  revision: number;
  document: JsonObject;
}

/** Finds what is wrong with documents. */
@Injectable()
export class PaywallProblemsService {
  constructor(
    private readonly offerings: OfferingsService,
    private readonly packages: PackagesService,
    private readonly settings: PaywallSettingsRepository,
    private readonly assets: MediaAssetsService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Errors first. In a transaction, reads the offering there. */
  async find(projectId: string, content: CheckedContent, tx?: Transaction): Promise<PaywallProblem[]> {
    const [problems] = await this.findAll(projectId, [content], tx);
    return problems ?? [];
  }

  /** Returns the problems of each document, in the order given. */
  async findAll(
    projectId: string,
    contents: readonly CheckedContent[],
    tx?: Transaction,
  ): Promise<PaywallProblem[][]> {
    const { baseUrl: publicUrl, production: isProduction } = this.config;
    const offeringIds = contents.map(({ offering }) => offering.id);
    const packages = await this.packages.ofOfferings(projectId, offeringIds, tx);
    const activeOfferings = await this.offerings.activeLookupKeys(projectId, tx);
    const { colors, fonts, customVariables } = await this.settings.find(projectId, tx);
    const refs = contents.flatMap(({ document }) => blobRefsIn(document, projectId));
    const shared = {
      activeOfferings: new Set(activeOfferings),
      colors: new Set(Object.keys(colors)),
      fonts: new Set(Object.keys(fonts)),
      customVariables: new Set(Object.keys(customVariables)),
      images: {
        serverUrl: `${publicUrl}/v1/blobs/`,
        projectUrl: blobsUrl(publicUrl, projectId),
        refs: new Set(await this.assets.existing(projectId, refs, tx)),
      },
      isProduction,
      nowMs: this.clock.nowMs(),
    };
    const problems: PaywallProblem[][] = [];
    for (const {
      offering: { id, lookupKey },
      document,
      paywallId,
      revision,
    } of contents) {
      const keys = packages.get(id)?.map((one) => one.lookupKey);
      const offering = { lookupKey, packages: new Set(keys) };
      const output = toOutput(document, { paywallId, projectId, revision, publicUrl });
      problems.push(problemsOf(output, { ...shared, offering }));
      // A large document takes tens of milliseconds; other requests come between two of them.
      await setImmediate();
    }
    return problems;
  }
}
