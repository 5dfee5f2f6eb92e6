import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import { isUuid } from '../../../../libs/stores/index.js';
import {
  checkedRetentionConditions,
  ConditionProblem,
  type RefundCondition,
} from '../../../../libs/targeting/index.js';
import { AppsService } from '../../../catalog/apps/apps.service.js';
import { bumpCatalogVersion } from '../../../catalog/shared/catalog-version.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import { auditChanges, type PlainField } from '../../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import {
  type CreateRetentionRuleDto,
  MAX_RULES,
  type RetentionOfferDto,
  type UpdateRetentionRuleDto,
} from './retention-rule.dto.js';
import type { RetentionRule } from './retention-rule.entity.js';
import { type PlacedRetentionRule, placedRetentionRules } from './retention-rule.presenter.js';
import { RetentionRulesRepository } from './retention-rules.repository.js';

/** Fields whose values are audited. */
const recordedFields: PlainField<RetentionRule>[] = [
  'displayName',
  'conditions',
  'messageId',
  'alternateProductId',
  'offerProductId',
  'offerId',
];

type Offered = Pick<RetentionRule, 'alternateProductId' | 'offerProductId' | 'offerId'>;
type Fields = Pick<CreateRetentionRuleDto, 'alternate_product_id' | 'promotional_offer'>;

/**
 * Every change first raises the catalog version. That locks the project, so rules change one at a time, and notifies all
 * replicas, which drop the compiled rules.
 */
@Injectable()
export class RetentionRulesService {
  constructor(
    private readonly repository: RetentionRulesRepository,
    private readonly apps: AppsService,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** The new rule is evaluated after all others. @throws ApiError 400, 404, 422 for another store or too many */
  async create(
    write: ProjectWrite,
    appId: string,
    body: CreateRetentionRuleDto,
  ): Promise<PlacedRetentionRule> {
    const catalog = await this.catalogOf(write.projectId, appId);
    return this.change(write, appId, async (tx, all) => {
      if (all.length >= MAX_RULES)
        throw new ApiError('impossible', `An app has at most ${MAX_RULES} retention rules.`);
      const nowMs = tx.nowMs();
      const rule: RetentionRule = {
        projectId: write.projectId,
        id: newId('retentionRule', nowMs),
        appId,
        environment: body.environment ?? 'production',
        position: Math.max(0, ...all.map(({ position }) => position)) + 1,
        displayName: body.display_name,
        conditions: readConditions(body.conditions ?? [], catalog),
        messageId: readMessageId(body.message_id),
        ...readOffered(body, noOffer, catalog, appId),
        createdAt: new Date(nowMs),
        updatedAt: new Date(nowMs),
      };
      await this.repository.insert(tx, rule);
      await tx.audit({ action: 'created', target: 'retention_rule', targetId: rule.id });
      return { rule, place: all.length + 1 };
    });
  }

  /** Absent fields stay unchanged. @throws ApiError as for `create` */
  async update(
    write: ProjectWrite,
    appId: string,
    id: string,
    body: UpdateRetentionRuleDto,
  ): Promise<PlacedRetentionRule> {
    const catalog = await this.catalogOf(write.projectId, appId);
    return this.change(write, appId, async (tx, all) => {
      const { rule: before, place } = found(all, id);
      const { conditions, message_id: messageId } = body;
      const rule: RetentionRule = {
        ...before,
        displayName: body.display_name ?? before.displayName,
        conditions: conditions === undefined ? before.conditions : readConditions(conditions, catalog),
        messageId: messageId === undefined ? before.messageId : readMessageId(messageId),
        ...readOffered(body, before, catalog, appId),
        updatedAt: new Date(tx.nowMs()),
      };
      await this.repository.update(tx, rule);
      const data = auditChanges(before, rule, recordedFields);
      await tx.audit({ action: 'updated', target: 'retention_rule', targetId: id, data });
      return { rule, place };
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, appId: string, id: string): Promise<number> {
    return this.change(write, appId, async (tx, all) => {
      found(all, id);
      await this.repository.delete(tx, write.projectId, id);
      await tx.audit({ action: 'deleted', target: 'retention_rule', targetId: id });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 400 unless every rule of the app is listed exactly once, 404 */
  async reorder(write: ProjectWrite, appId: string, ids: readonly string[]): Promise<PlacedRetentionRule[]> {
    const { projectId } = write;
    await this.apps.get(projectId, appId);
    return this.change(write, appId, async (tx, all) => {
      const before = all.map(({ id }) => id);
      const named = new Set(ids);
      if (ids.length !== before.length || !before.every((id) => named.has(id)))
        throw ApiError.parameter('rule_ids', 'rule_ids must name every retention rule of the app once.');
      for (const [index, id] of ids.entries())
        await this.repository.setPosition(tx, projectId, id, index + 1);
      const changes = auditChanges({ ruleIds: before }, { ruleIds: [...ids] }, ['ruleIds']);
      await tx.audit({
        action: 'reordered',
        target: 'retention_rule',
        targetId: appId,
        data: { rule_ids: [...ids], ...changes },
      });
      return placedRetentionRules(await this.repository.all(projectId, appId, tx));
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, appId: string, id: string): Promise<PlacedRetentionRule> {
    return found(await this.repository.all(projectId, appId), id);
  }

  /** In order of evaluation. @throws ApiError 404 */
  async all(projectId: string, appId: string): Promise<PlacedRetentionRule[]> {
    await this.apps.get(projectId, appId);
    return placedRetentionRules(await this.inOrder(projectId, appId));
  }

  /** In order of evaluation; none for an unknown app. */
  inOrder(projectId: string, appId: string): Promise<RetentionRule[]> {
    return this.repository.all(projectId, appId);
  }

  private change<T>(
    write: ProjectWrite,
    appId: string,
    work: (tx: WriteTransaction, all: RetentionRule[]) => Promise<T>,
  ): Promise<T> {
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, write.projectId);
      return work(tx, await this.repository.all(write.projectId, appId, tx));
    });
  }

  /** @throws ApiError 404; 422 for an app of another store */
  private async catalogOf(projectId: string, appId: string): Promise<Catalog> {
    const { type } = await this.apps.get(projectId, appId);
    if (type !== 'app_store' && type !== 'mac_app_store')
      throw new ApiError('impossible', 'Only the App Store has retention messages.');
    return this.catalogs.getCurrent(projectId);
  }
}

const noOffer: Offered = { alternateProductId: null, offerProductId: null, offerId: null };

/** @throws ApiError 400 naming the invalid condition */
function readConditions(given: unknown, { apps, products }: Catalog): RefundCondition[] {
  const ids = { appIds: new Set(apps.keys()), productIds: new Set(products.keys()) };
  try {
    return checkedRetentionConditions(given, { param: 'conditions', ...ids });
  } catch (error) {
    if (error instanceof ConditionProblem) throw ApiError.parameter(error.param, error.message);
    throw error;
  }
}

/** @throws ApiError 400 */
function readMessageId(text: string): string {
  if (isUuid(text)) return text;
  throw ApiError.parameter('message_id', 'message_id must be a UUID.');
}

/** Absent fields stay unchanged. @throws ApiError 400 for both kinds at once, 404 for a product of another app */
function readOffered(body: Fields, before: Offered, catalog: Catalog, appId: string): Offered {
  const { alternate_product_id: alternate, promotional_offer: offer } = body;
  const offered: Offered = {
    alternateProductId: alternate === undefined ? before.alternateProductId : alternate,
    ...(offer === undefined
      ? { offerProductId: before.offerProductId, offerId: before.offerId }
      : offerOf(offer)),
  };
  if (offered.alternateProductId !== null && offered.offerId !== null)
    throw ApiError.parameter(
      'promotional_offer',
      'promotional_offer and alternate_product_id exclude each other.',
    );
  assertOfApp(alternate ?? null, 'alternate_product_id', catalog, appId);
  assertOfApp(offer?.product_id ?? null, 'promotional_offer.product_id', catalog, appId);
  return offered;
}

function offerOf(offer: RetentionOfferDto | null): Pick<Offered, 'offerProductId' | 'offerId'> {
  return { offerProductId: offer?.product_id ?? null, offerId: offer?.offer_id ?? null };
}

function assertOfApp(id: string | null, param: string, { products }: Catalog, appId: string): void {
  if (id !== null && products.get(id)?.appId !== appId) throw ApiError.missing('product', id, param);
}

/** @throws ApiError 404 */
function found(all: readonly RetentionRule[], id: string): PlacedRetentionRule {
  const row = placedRetentionRules(all).find(({ rule }) => rule.id === id);
  if (!row) throw ApiError.missing('retention rule', id);
  return row;
}
