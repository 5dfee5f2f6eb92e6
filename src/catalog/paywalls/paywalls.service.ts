import { Injectable } from '@nestjs/common';
import { isSameJson, type JsonObject, newId } from '../../../libs/kernel/index.js';
import { findTemplate, newDocument, type PaywallProblem } from '../../../libs/paywalls/index.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { Offering } from '../offerings/offering.entity.js';
import { OfferingsService } from '../offerings/offerings.service.js';
import { PackagesService } from '../packages/packages.service.js';
import {
  assertRevision,
  changedContent,
  contentFields,
  presentRevision,
  scalesFontSize,
  takenBy,
} from './paywall-content.policy.js';
import { PaywallProblemsService } from './paywall-problems.service.js';
import type { CreatePaywallDto, UpdatePaywallDto } from './paywall.dto.js';
import type { Paywall } from './paywall.entity.js';
import { type ListedVersion, type PaywallRow, PaywallsRepository } from './paywalls.repository.js';

/** Both documents of a paywall, with the problems of the draft, or without one of the published version. */
export interface PaywallContent {
  paywall: Paywall;
  published: JsonObject | null;
  problems: PaywallProblem[];
}

/** Facts about the content of a paywall, for lists. */
export interface PaywallReview {
  hasDraft: boolean;
  /** Problems of the draft, or of the published version if there is no draft. */
  problems: PaywallProblem[];
}

const EMPTY_TEMPLATE = 'empty';

@Injectable()
export class PaywallsService {
  constructor(
    private readonly repository: PaywallsRepository,
    private readonly problems: PaywallProblemsService,
    private readonly offerings: OfferingsService,
    private readonly packages: PackagesService,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
  ) {}

  /** @throws ApiError 400, 404, 409 for an offering that has a paywall, 422 for an archived one */
  create(write: ProjectWrite, body: CreatePaywallDto): Promise<Paywall> {
    const { projectId } = write;
    const work = async (tx: WriteTransaction): Promise<Paywall> => {
      const now = new Date(tx.nowMs());
      const id = newId('paywall', now.getTime());
      const offering = await this.freeOffering(tx, body.offering_id, id);
      if (offering.state !== 'active') {
        const message = `The offering ${JSON.stringify(offering.lookupKey)} is archived.`;
        throw new ApiError('impossible', message, { param: 'offering_id' });
      }
      const draft = await this.firstDraft(tx, offering, body);
      const paywall: Paywall = {
        projectId,
        id,
        name: body.name ?? offering.displayName,
        offeringId: offering.id,
        draft,
        revision: 1,
        automaticallyScaleFontSize: scalesFontSize(draft),
        publishedRevision: null,
        publishedOfferingId: null,
        publishedAt: null,
        publishedRef: null,
        publishedBytes: null,
        publishedBaseUrl: null,
        createdAt: now,
        updatedAt: now,
      };
      await this.repository.insert(tx, paywall);
      await tx.audit({ action: 'created', target: 'paywall', targetId: id });
      return paywall;
    };
    return this.writes.run(write, work, { retryUniqueViolation: true });
  }

  /** Saves a draft, even one with errors. @throws ApiError 400, 404, 409 for another revision or a taken offering */
  async update(write: ProjectWrite, id: string, body: UpdatePaywallDto): Promise<PaywallContent> {
    const { projectId } = write;
    const work = async (tx: WriteTransaction): Promise<Paywall> => {
      const present = await this.foundWhole(projectId, id, tx);
      assertRevision(present, body.revision);
      const content = present.draft ?? (await this.published(present, tx));
      const draft = changedContent(content, body, this.config.baseUrl);
      const isChanged = !isSameJson(content, draft);
      const after: Paywall = {
        ...present,
        name: body.name ?? present.name,
        offeringId: body.offering_id ?? present.offeringId,
        ...(isChanged && {
          draft,
          revision: present.revision + 1,
          automaticallyScaleFontSize: scalesFontSize(draft),
        }),
      };
      if (after.offeringId !== present.offeringId) await this.freeOffering(tx, after.offeringId, id);
      const { changed_fields: named, ...values } = auditChanges(
        { name: present.name, offeringId: present.offeringId },
        { name: after.name, offeringId: after.offeringId },
        ['name', 'offeringId'],
      );
      const fields = [
        ...named,
        ...contentFields.filter((field) => !isSameJson(content[field], draft[field])),
      ];
      if (fields.length > 0) {
        after.updatedAt = new Date(tx.nowMs());
        await this.repository.update(tx, after);
      }
      const data = { changed_fields: fields, ...values };
      await tx.audit({ action: 'updated', target: 'paywall', targetId: id, data });
      return after;
    };
    return this.withContent(await this.writes.run(write, work, { retryUniqueViolation: true }));
  }

  /** Returns the time (epoch ms). @throws ApiError 404, 409 while it is published */
  delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const paywall = await this.foundWhole(projectId, id, tx);
      if (paywall.publishedRevision !== null)
        throw new ApiError('conflict', 'Apps show this paywall. Unpublish it first.');
      await this.repository.delete(tx, projectId, id);
      await tx.audit({ action: 'deleted', target: 'paywall', targetId: id });
      return tx.nowMs();
    });
  }

  /** Returns the names of all paywalls by id. */
  names(projectId: string): Promise<Map<string, string>> {
    return this.repository.names(projectId);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<PaywallRow> {
    const paywall = await this.repository.find(projectId, id);
    if (!paywall) throw ApiError.missing('paywall', id);
    return paywall;
  }

  /** @throws ApiError 404 */
  async getContent(projectId: string, id: string): Promise<PaywallContent> {
    return this.withContent(await this.foundWhole(projectId, id));
  }

  /** Up to `limit + 1` rows. */
  page(projectId: string, offeringId: string | null, page: PageRequest): Promise<PaywallRow[]> {
    return this.repository.page(projectId, offeringId, page);
  }

  /** Reviews the content of a page of paywalls by id. */
  async reviews(projectId: string, page: readonly PaywallRow[]): Promise<Map<string, PaywallReview>> {
    const offeringIds = page.map(({ offeringId }) => offeringId);
    const offerings = new Map(
      (await this.offerings.findMany(projectId, offeringIds)).map((offering) => [offering.id, offering]),
    );
    const ids = page.map(({ id }) => id);
    const contents = (await this.repository.contents(projectId, ids)).flatMap((content) => {
      const offering = offerings.get(content.offeringId);
      return offering ? [{ ...content, offering }] : [];
    });
    const problems = await this.problems.findAll(projectId, contents);
    return new Map(
      contents.map(({ paywallId, hasDraft }, index) => [
        paywallId,
        { hasDraft, problems: problems[index] ?? [] },
      ]),
    );
  }

  /** Up to `limit + 1` published versions, newest first. @throws ApiError 404 */
  async versions(
    { projectId, id }: PaywallRow,
    page: PageRequest,
    withDocuments: boolean,
  ): Promise<ListedVersion[]> {
    return this.repository.versionsPage(projectId, id, page, withDocuments);
  }

  private async withContent(paywall: Paywall): Promise<PaywallContent> {
    const { projectId, id: paywallId, offeringId, draft, publishedRevision } = paywall;
    const published = await this.repository.document(projectId, paywallId, publishedRevision);
    const document = draft ?? published;
    if (document === null) return { paywall, published, problems: [] };
    const offering = await this.offerings.get(projectId, offeringId);
    const revision = presentRevision(paywall);
    return {
      paywall,
      published,
      problems: await this.problems.find(projectId, { offering, paywallId, revision, document }),
    };
  }

  private async firstDraft(
    tx: WriteTransaction,
    { projectId, id: offeringId }: Offering,
    { template_id: templateId, duplicate_of: originalId }: CreatePaywallDto,
  ): Promise<JsonObject> {
    if (originalId !== undefined) {
      if (templateId !== undefined)
        throw ApiError.parameter('duplicate_of', 'Send either template_id or duplicate_of.');
      const original = await this.repository.findWhole(projectId, originalId, tx);
      if (!original) throw ApiError.missing('paywall', originalId, 'duplicate_of');
      return original.draft ?? (await this.published(original, tx));
    }
    const template = findTemplate(templateId ?? EMPTY_TEMPLATE);
    if (!template) throw ApiError.missing('paywall template', templateId ?? EMPTY_TEMPLATE, 'template_id');
    return newDocument(template, await this.packages.lookupKeys(projectId, offeringId, tx));
  }

  /** @throws ApiError 404, 409 if another paywall has the offering */
  private async freeOffering(tx: WriteTransaction, offeringId: string, paywallId: string): Promise<Offering> {
    const { projectId } = tx.write;
    const offering = await this.offerings.getIn(tx, offeringId, 'offering_id');
    const holder = await this.repository.holderOf(tx, projectId, offeringId, paywallId);
    if (holder) throw ApiError.alreadyExists('offering_id', takenBy(holder));
    return offering;
  }

  private async published(
    { projectId, id, publishedRevision }: Paywall,
    tx: WriteTransaction,
  ): Promise<JsonObject> {
    const document = await this.repository.document(projectId, id, publishedRevision, tx);
    if (document === null) throw new Error(`The paywall ${id} has no content`);
    return document;
  }

  private async foundWhole(projectId: string, id: string, tx?: WriteTransaction): Promise<Paywall> {
    const paywall = await this.repository.findWhole(projectId, id, tx);
    if (!paywall) throw ApiError.missing('paywall', id);
    return paywall;
  }
}
