import {
  checkedRefundConditions,
  ConditionProblem,
  type RefundCondition,
  type RefundPolicyTerms,
  refundStores,
} from '../../../libs/targeting/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { RefundPolicy } from './refund-policy.entity.js';

/** Ids of the project that conditions may name. */
export interface NamedIds {
  appIds: ReadonlySet<string>;
  productIds: ReadonlySet<string>;
}

/** The policy that decides what no other one does. */
export function defaultPolicy(projectId: string, id: string, nowMs: number): RefundPolicy {
  return {
    projectId,
    id,
    position: null,
    displayName: 'All others',
    stores: [...refundStores],
    conditions: [],
    preference: 'neutral',
    holdMinutes: 0,
    isDefault: true,
    createdAt: new Date(nowMs),
    updatedAt: new Date(nowMs),
  };
}

/** @throws ApiError 400 naming the invalid condition */
export function readConditions(given: unknown, param: string, named: NamedIds): RefundCondition[] {
  try {
    return checkedRefundConditions(given, { param, ...named });
  } catch (error) {
    if (error instanceof ConditionProblem) throw ApiError.parameter(error.param, error.message);
    throw error;
  }
}

/** The default policy must match every request. @throws ApiError 400 */
export function assertMatchesAll(
  { conditions, stores }: Pick<RefundPolicyTerms, 'conditions' | 'stores'>,
  place = '',
): void {
  const message = 'The default policy matches every request';
  if (conditions.length > 0)
    throw ApiError.parameter(`${place}conditions`, `${message}: ${place}conditions must be empty.`);
  if (stores.length < refundStores.length)
    throw ApiError.parameter(`${place}stores`, `${message}: ${place}stores must hold all stores.`);
}

const DRAFT = 'draft ';

/** Identifies a policy that is not saved, by its index. */
export function draftId(index: number): string {
  return `${DRAFT}${index}`;
}

export function isDraftId(id: string): boolean {
  return id.startsWith(DRAFT);
}
