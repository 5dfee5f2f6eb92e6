import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { systemChange } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { OfferingsService } from '../offerings/offerings.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import { PaywallsRepository } from './paywalls.repository.js';
import { PublishedContentService } from './published-content.service.js';

const HOUR_MS = 3_600_000;

/** Writes published paywalls again after the public address of this server has changed: phones load images from it. */
@Injectable()
export class PaywallAddressesJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: PaywallsRepository,
    private readonly content: PublishedContentService,
    private readonly offerings: OfferingsService,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'published paywalls still have an old address of this server'),
      'paywall_addresses',
    );
  }

  onApplicationBootstrap(): void {
    if (this.config.runsJobs) void this.run();
  }

  @Interval('paywall-addresses', HOUR_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    for (const projectId of await this.repository.projectsWithOldAddress(this.config.baseUrl)) {
      if (this.loop.isStopping) return;
      await this.writes
        .run({ ...systemChange, projectId }, (tx) => this.rewrite(tx, projectId))
        .catch((error: unknown) => {
          // The project was deleted.
          if (!(error instanceof ApiError && error.kind === 'missing')) throw error;
        });
    }
  }

  private async rewrite(tx: WriteTransaction, projectId: string): Promise<void> {
    await bumpCatalogVersion(tx, projectId);
    const now = new Date(tx.nowMs());
    for (const paywall of await this.repository.withOldAddress(tx, projectId, this.config.baseUrl)) {
      const { id, publishedRevision: revision, publishedOfferingId: offeringId } = paywall;
      const document = await this.repository.document(projectId, id, revision, tx);
      if (document === null || revision === null || offeringId === null) continue;
      const { lookupKey: offeringIdentifier } = await this.offerings.getIn(tx, offeringId);
      const content = { document, revision, offeringIdentifier };
      const columns = await this.content.writeWorkflow(tx, paywall, content, now);
      await this.repository.update(tx, { ...paywall, ...columns });
    }
  }
}
