import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import {
  type CompiledRefundPolicies,
  compileRefundPolicies,
  type RefundPolicyTerms,
  refundStores,
} from '../../../libs/targeting/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import {
  type CreateRefundPolicyDto,
  MAX_POLICIES,
  type RefundPolicyDraftDto,
  type UpdateRefundPolicyDto,
} from './refund-policy.dto.js';
import type { RefundPolicy } from './refund-policy.entity.js';
import {
  assertMatchesAll,
  defaultPolicy,
  draftId,
  type NamedIds,
  readConditions,
} from './refund-policy.policy.js';
import { placedPolicies, placeOfPolicy, type PlacedPolicy } from './refund-policy.presenter.js';
import { RefundPoliciesRepository } from './refund-policies.repository.js';

/** Fields whose values are audited. */
const recordedFields: PlainField<RefundPolicy>[] = [
  'displayName',
  'conditions',
  'stores',
  'preference',
  'holdMinutes',
];

/** Every change first locks the default policy: the policies of a project change one at a time. */
@Injectable()
export class RefundPoliciesService {
  constructor(
    private readonly repository: RefundPoliciesRepository,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns what decides about the refund requests of a project, now. */
  async compiledPolicies(projectId: string, tx?: Transaction): Promise<CompiledRefundPolicies> {
    return compileRefundPolicies(await this.inOrder(projectId, tx));
  }

  /** In order of evaluation, the default one last. */
  savedTerms(projectId: string): Promise<RefundPolicyTerms[]> {
    return this.inOrder(projectId);
  }

  /** Reads policies that need not be saved. The last one is the default one. @throws ApiError 400 */
  async draftTerms(projectId: string, drafts: readonly RefundPolicyDraftDto[]): Promise<RefundPolicyTerms[]> {
    const named = await this.namedIds(projectId);
    const ids = drafts.map(({ id }, index) => id ?? draftId(index));
    return drafts.map((draft, index) => {
      const place = `policies[${index}].`;
      const id = ids[index] as string;
      if (ids.indexOf(id) !== index)
        throw ApiError.parameter(`${place}id`, `${place}id is that of an earlier policy.`);
      const policy: RefundPolicyTerms = {
        id,
        displayName: draft.display_name,
        stores: storesOf(draft.stores ?? refundStores),
        conditions: readConditions(draft.conditions ?? [], `${place}conditions`, named),
        preference: draft.preference,
        holdMinutes: draft.hold_minutes ?? 0,
      };
      if (index === drafts.length - 1) assertMatchesAll(policy, place);
      return policy;
    });
  }

  /** The new policy is evaluated after all others but the default one. @throws ApiError 400, 422 for too many */
  async create(write: ProjectWrite, body: CreateRefundPolicyDto): Promise<PlacedPolicy> {
    const { projectId } = write;
    const named = await this.namedIds(projectId);
    return this.change(write, async (tx, all) => {
      if (all.length >= MAX_POLICIES)
        throw new ApiError('impossible', `A project has at most ${MAX_POLICIES} refund policies.`);
      const nowMs = tx.nowMs();
      const policy: RefundPolicy = {
        projectId,
        id: newId('refundPolicy', nowMs),
        position: Math.max(0, ...all.map(({ position }) => position ?? 0)) + 1,
        displayName: body.display_name,
        stores: storesOf(body.stores ?? refundStores),
        conditions: readConditions(body.conditions ?? [], 'conditions', named),
        preference: body.preference,
        holdMinutes: body.hold_minutes ?? 0,
        isDefault: false,
        createdAt: new Date(nowMs),
        updatedAt: new Date(nowMs),
      };
      await this.repository.insert(tx, policy);
      await tx.audit({ action: 'created', target: 'refund_policy', targetId: policy.id });
      return { policy, place: all.length };
    });
  }

  /** Absent fields stay unchanged. @throws ApiError 404, 400 */
  async update(write: ProjectWrite, id: string, body: UpdateRefundPolicyDto): Promise<PlacedPolicy> {
    const named = await this.namedIds(write.projectId);
    return this.change(write, async (tx, all) => {
      const { policy: before, place } = found(all, id);
      const { conditions } = body;
      const policy: RefundPolicy = {
        ...before,
        displayName: body.display_name ?? before.displayName,
        stores: body.stores ? storesOf(body.stores) : before.stores,
        conditions:
          conditions === undefined ? before.conditions : readConditions(conditions, 'conditions', named),
        preference: body.preference ?? before.preference,
        holdMinutes: body.hold_minutes ?? before.holdMinutes,
      };
      if (policy.isDefault) assertMatchesAll(policy);
      const data = auditChanges(before, policy, recordedFields);
      policy.updatedAt = new Date(tx.nowMs());
      await this.repository.update(tx, policy);
      await tx.audit({ action: 'updated', target: 'refund_policy', targetId: id, data });
      return { policy, place };
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404, 409 for the default policy */
  delete(write: ProjectWrite, id: string): Promise<number> {
    return this.change(write, async (tx, all) => {
      if (found(all, id).policy.isDefault)
        throw new ApiError('conflict', 'The default policy cannot be deleted.');
      await this.repository.delete(tx, write.projectId, id);
      await tx.audit({ action: 'deleted', target: 'refund_policy', targetId: id });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 400 unless every policy except the default one is listed exactly once */
  reorder(write: ProjectWrite, ids: readonly string[]): Promise<PlacedPolicy[]> {
    const { projectId } = write;
    return this.change(write, async (tx, all) => {
      const before = all.filter(({ isDefault }) => !isDefault).map(({ id }) => id);
      const named = new Set(ids);
      if (ids.length !== before.length || !before.every((id) => named.has(id)))
        throw ApiError.parameter('policy_ids', 'policy_ids must name every policy but the default one once.');
      for (const [index, id] of ids.entries())
        await this.repository.setPosition(tx, projectId, id, index + 1);
      await tx.audit({
        action: 'reordered',
        target: 'refund_policy',
        targetId: projectId,
        data: {
          policy_ids: [...ids],
          ...auditChanges({ policyIds: before }, { policyIds: [...ids] }, ['policyIds']),
        },
      });
      return placedPolicies(await this.repository.all(projectId, tx));
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<PlacedPolicy> {
    return found(await this.inOrder(projectId), id);
  }

  /** Up to `limit + 1`, in order of evaluation. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, { after, limit }: PageRequest): Promise<PlacedPolicy[]> {
    const all = placedPolicies(await this.inOrder(projectId));
    const start = await startOf(after, ['number'], (id) => {
      const row = all.find(({ policy }) => policy.id === id);
      return Promise.resolve(row ? placeOfPolicy(row) : null);
    });
    const first = start === null ? 0 : (start[0] as number);
    return all.filter(({ place }) => place > first).slice(0, limit + 1);
  }

  private change<T>(
    write: ProjectWrite,
    work: (tx: WriteTransaction, all: RefundPolicy[]) => Promise<T>,
  ): Promise<T> {
    const { projectId } = write;
    return this.writes.run(
      write,
      async (tx) => {
        await this.insertDefault(projectId, tx);
        await this.repository.lock(tx, projectId);
        return work(tx, await this.repository.all(projectId, tx));
      },
      { retryUniqueViolation: true },
    );
  }

  /** Returns all policies, the default one last; creates it for a project that is read for the first time. */
  private async inOrder(projectId: string, tx?: Transaction): Promise<RefundPolicy[]> {
    const all = await this.repository.all(projectId, tx);
    if (all.length > 0) return all;
    await this.insertDefault(projectId, tx);
    return this.repository.all(projectId, tx);
  }

  private insertDefault(projectId: string, tx?: Transaction): Promise<void> {
    const nowMs = this.clock.nowMs();
    return this.repository.insertDefault(defaultPolicy(projectId, newId('refundPolicy', nowMs), nowMs), tx);
  }

  private async namedIds(projectId: string): Promise<NamedIds> {
    const { apps, products } = await this.catalogs.getCurrent(projectId);
    return { appIds: new Set(apps.keys()), productIds: new Set(products.keys()) };
  }
}

/** Each store once, in one order. */
function storesOf(given: readonly string[]): RefundPolicy['stores'] {
  return refundStores.filter((store) => given.includes(store));
}

/** @throws ApiError 404 */
function found(all: readonly RefundPolicy[], id: string): PlacedPolicy {
  const row = placedPolicies(all).find(({ policy }) => policy.id === id);
  if (!row) throw ApiError.missing('refund policy', id);
  return row;
}
