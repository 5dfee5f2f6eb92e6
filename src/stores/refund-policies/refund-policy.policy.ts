import {
  checkedRefundConditions,
  type CompiledRefundPolicies,
  compileRefundPolicies,
  ConditionProblem,
  type RefundCondition,
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
export function assertMatchesAll({ conditions, stores }: Pick<RefundPolicy, 'conditions' | 'stores'>): void {
  if (conditions.length > 0)
    throw ApiError.parameter(
      'conditions',
      'conditions must be empty: the default policy matches every request.',
    );
  if (stores.length < refundStores.length)
    throw ApiError.parameter('stores', `stores must hold ${refundStores.join(', ')} for the default policy.`);
}

/** @param inOrder all policies of a project, the default one last */
export function compiledOf(inOrder: readonly RefundPolicy[]): CompiledRefundPolicies {
  const fallback = inOrder[inOrder.length - 1] as RefundPolicy;
  return compileRefundPolicies(inOrder.slice(0, -1), fallback);
}
