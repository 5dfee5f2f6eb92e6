import { addPeriods, parsePeriod } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { TestClock } from './test-clocks.repository.js';

const DAY_MS = 86_400_000;
const MAX_ADVANCE_MS = 2 * 366 * DAY_MS;
/** Maximum number of periods of one subscription within an advance. */
const MAX_PERIODS = 500;

/** @throws ApiError 409 while customers are advancing */
export function assertStill({ targetAtMs, failed }: TestClock): void {
  if (targetAtMs !== null && !failed) throw new ApiError('conflict', 'The test clock is advancing.');
}

/** @throws ApiError 400 for a time that is not later or is too far ahead */
export function assertAhead({ frozenAtMs, targetAtMs, failed }: TestClock, toMs: number): void {
  const fromMs = targetAtMs ?? frozenAtMs;
  if (failed ? toMs < fromMs : toMs <= fromMs) {
    throw ApiError.parameter('frozen_time', `frozen_time must be later than ${fromMs}.`);
  }
  if (toMs - frozenAtMs > MAX_ADVANCE_MS) {
    throw ApiError.parameter('frozen_time', 'A test clock advances by at most two years at a time.');
  }
}

/** @throws ApiError 400 if a subscription to the product would renew too often */
export function assertFewPeriods(
  catalog: Catalog,
  { appId, storeProductId }: { appId: string | null; storeProductId: string },
  fromMs: number,
  toMs: number,
): void {
  const period = parsePeriod(catalog.productOf(appId, storeProductId)?.duration ?? 'P1M');
  if (!period || addPeriods(fromMs, period, MAX_PERIODS) >= toMs) return;
  throw ApiError.parameter(
    'frozen_time',
    `${storeProductId} would be renewed more than ${MAX_PERIODS} times: advance in smaller steps.`,
  );
}
