import { Injectable } from '@nestjs/common';
import { isSameJson, type JsonObject } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Offering } from '../offerings/offering.entity.js';
import { OfferingsService } from '../offerings/offerings.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import { assertRevision, isFullyPublished, takenBy } from './paywall-content.policy.js';
import { PaywallProblemsService } from './paywall-problems.service.js';
import type { Paywall } from './paywall.entity.js';
import { PaywallsRepository } from './paywalls.repository.js';
import { PublishedContentService } from './published-content.service.js';

const MAX_PUBLISHED = 100;
const MAX_PUBLISHED_BYTES = 8 * 2 ** 20;

const unpublished = {
  publishedRevision: null,
  publishedOfferingId: null,
  publishedAt: null,
  publishedRef: null,
  publishedBytes: null,
  publishedBaseUrl: null,
};

/** Records a call that changed nothing for SDKs. */
async function unchanged(
  tx: WriteTransaction,
  action: 'published' | 'unpublished',
  paywall: Paywall,
): Promise<Paywall> {
  await tx.audit({ action, target: 'paywall', targetId: paywall.id, data: { changed_fields: [] } });
  return paywall;
}

/** Hands drafts to SDKs, and takes paywalls back. Every change raises the version of the catalog first. */
@Injectable()
export class PaywallPublishingService {
  constructor(
    private readonly repository: PaywallsRepository,
    private readonly content: PublishedContentService,
    private readonly problems: PaywallProblemsService,
    private readonly offerings: OfferingsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Publishes the draft. Without one, changes nothing.
   * @throws ApiError 404, 409 for another revision, 422 for a draft with errors, an archived offering, or too many
   */
  async publish(write: ProjectWrite, id: string, revision: number | null): Promise<Paywall> {
    const { projectId } = write;
    const present = await this.found(projectId, id);
    if (revision !== null) assertRevision(present, revision);
    if (isFullyPublished(present)) return this.writes.run(write, (tx) => unchanged(tx, 'published', present));
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const paywall = await this.found(projectId, id, tx);
      if (revision !== null) assertRevision(paywall, revision);
      return isFullyPublished(paywall) ? unchanged(tx, 'published', paywall) : this.publishIn(tx, paywall);
    });
  }

  /** The published content becomes the draft, unless there is one. Idempotent. @throws ApiError 404 */
  async unpublish(write: ProjectWrite, id: string): Promise<Paywall> {
    const { projectId } = write;
    const present = await this.found(projectId, id);
    if (present.publishedRevision === null)
      return this.writes.run(write, (tx) => unchanged(tx, 'unpublished', present));
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const paywall = await this.found(projectId, id, tx);
      if (paywall.publishedRevision === null) return unchanged(tx, 'unpublished', paywall);
      const now = new Date(tx.nowMs());
      const draft = paywall.draft ?? (await this.published(tx, paywall));
      const after: Paywall = { ...paywall, ...unpublished, draft, updatedAt: now };
      await this.content.dropWorkflow(tx, paywall, now);
      await this.repository.update(tx, after);
      const data = { revision: paywall.publishedRevision };
      await tx.audit({ action: 'unpublished', target: 'paywall', targetId: id, data });
      return after;
    });
  }

  private async publishIn(tx: WriteTransaction, paywall: Paywall): Promise<Paywall> {
    const { projectId, id } = paywall;
    const now = new Date(tx.nowMs());
    const before = await this.published(tx, paywall);
    const document = paywall.draft ?? before;
    if (document === null) throw new Error(`The paywall ${id} has no content`);
    const isSame = before !== null && isSameJson(before, document);
    const revision = isSame ? (paywall.publishedRevision ?? paywall.revision) : paywall.revision;
    // The content that is published already may have problems by now; it stays as it is.
    if (isSame && paywall.offeringId === paywall.publishedOfferingId) {
      const after: Paywall = { ...paywall, draft: null, updatedAt: now };
      await this.repository.update(tx, after);
      return unchanged(tx, 'published', after);
    }
    const offering = await this.checkedOffering(tx, paywall, document);
    const offeringIdentifier = offering.lookupKey;
    const columns = await this.content.writeWorkflow(
      tx,
      paywall,
      { document, revision, offeringIdentifier },
      now,
    );
    await this.assertRoom(tx, paywall, columns.publishedBytes ?? 0);
    const publishedBy = tx.write.actor.identifier;
    await this.repository.insertVersion(tx, {
      ...{ projectId, paywallId: id, revision, document, publishedAt: now, publishedBy },
    });
    const after: Paywall = {
      ...paywall,
      ...columns,
      draft: null,
      publishedRevision: revision,
      publishedOfferingId: offering.id,
      publishedAt: now,
      updatedAt: now,
    };
    await this.repository.update(tx, after);
    await this.content.writeUiConfig(tx, projectId, now);
    const data = { revision, offering_id: offering.id };
    await tx.audit({ action: 'published', target: 'paywall', targetId: id, data });
    return after;
  }

  /** @throws ApiError 409 if another paywall is published for the offering, 422 if the draft cannot be published */
  private async checkedOffering(
    tx: WriteTransaction,
    { projectId, id, offeringId, revision }: Paywall,
    document: JsonObject,
  ): Promise<Offering> {
    const offering = await this.offerings.getIn(tx, offeringId);
    if (offering.state !== 'active') {
      const message = `The offering ${JSON.stringify(offering.lookupKey)} is archived; a paywall of it cannot be published.`;
      throw new ApiError('impossible', message);
    }
    const problems = await this.problems.find(projectId, { offering, paywallId: id, revision, document }, tx);
    const [first] = problems;
    if (first?.severity === 'error') throw new ApiError('impossible', first.message, { problems });
    const holder = await this.repository.holderOf(tx, projectId, offeringId, id);
    if (holder) throw ApiError.alreadyExists('offering_id', takenBy(holder));
    return offering;
  }

  /** @throws ApiError 422 */
  private async assertRoom(tx: WriteTransaction, { projectId, id }: Paywall, bytes: number): Promise<void> {
    const others = await this.repository.publishedSize(tx, projectId, id);
    if (others.paywalls >= MAX_PUBLISHED)
      throw new ApiError('impossible', `A project may have at most ${MAX_PUBLISHED} published paywalls.`);
    if (others.bytes + bytes > MAX_PUBLISHED_BYTES)
      throw new ApiError('impossible', 'The published paywalls of a project may have at most 8 MiB.');
  }

  private published(tx: WriteTransaction, paywall: Paywall): Promise<JsonObject | null> {
    return this.repository.document(paywall.projectId, paywall.id, paywall.publishedRevision, tx);
  }

  private async found(projectId: string, id: string, tx?: WriteTransaction): Promise<Paywall> {
    const paywall = await this.repository.findWhole(projectId, id, tx);
    if (!paywall) throw ApiError.missing('paywall', id);
    return paywall;
  }
}
