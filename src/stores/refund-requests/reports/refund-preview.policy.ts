import {
  type CompiledRefundPolicies,
  firstMatch,
  type RefundPreference,
  refundPreferences,
  type RefundStore,
} from '../../../../libs/targeting/index.js';
import type { PreviewedRequest } from './refund-reports.repository.js';

const MAX_CHANGED = 100;

export interface PreviewCount {
  requests: number;
  usdMicros: number;
}

export interface ChangedRequest {
  requestId: string;
  before: RefundPreference;
  after: RefundPreference;
}

/** The decisions of policies about past requests. */
export interface RefundPreview {
  requests: number;
  byPolicy: Map<string, PreviewCount>;
  byPreference: Map<RefundPreference, PreviewCount>;
  /** The newest 100. */
  changed: ChangedRequest[];
  /** Number of requests that would be answered differently. */
  changedRequests: number;
  /** Number of requests for which an attribute that policies use was not stored. */
  approximate: number;
}

export function emptyPreview(policyIds: readonly string[]): RefundPreview {
  const none = (): PreviewCount => ({ requests: 0, usdMicros: 0 });
  return {
    requests: 0,
    byPolicy: new Map(policyIds.map((id) => [id, none()])),
    byPreference: new Map(refundPreferences.map((preference) => [preference, none()])),
    changed: [],
    changedRequests: 0,
    approximate: 0,
  };
}

function storeOf({ store }: PreviewedRequest): RefundStore {
  return store === 'play_store' ? 'play_store' : 'app_store';
}

function add(count: PreviewCount | undefined, { usdMicros }: PreviewedRequest): void {
  if (!count) return;
  count.requests += 1;
  count.usdMicros += usdMicros ?? 0;
}

/** Adds a request to a preview. A person's answer counts as it is: no policy changes it. */
export function addToPreview(
  preview: RefundPreview,
  policies: CompiledRefundPolicies,
  request: PreviewedRequest,
): void {
  const { facts, preference: before } = request;
  const { policyId, preference: after } = firstMatch(policies, storeOf(request), facts);
  preview.requests += 1;
  add(preview.byPolicy.get(policyId), request);
  add(preview.byPreference.get(after), request);
  if (policies.attributes.some((name) => !Object.hasOwn(facts.custom_attribute, name)))
    preview.approximate += 1;
  if (after === before || request.isDecidedByPerson) return;
  preview.changedRequests += 1;
  if (preview.changed.length < MAX_CHANGED) preview.changed.push({ requestId: request.id, before, after });
}
