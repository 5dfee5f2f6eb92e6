import { ApiError } from '../../platform/http/errors/api-error.js';
import { MAX_BALANCE } from '../currencies/virtual-currency.dto.js';

/** @throws ApiError 400 naming the first currency whose amount is not a whole number within ±2,000,000,000 */
export function readAdjustments(body: Record<string, unknown>): Record<string, number> {
  const entries = Object.entries(body);
  if (entries.length === 0)
    throw ApiError.parameter('adjustments', 'adjustments must name at least one currency.');
  for (const [code, amount] of entries) {
    if (Number.isInteger(amount) && Math.abs(amount as number) <= MAX_BALANCE) continue;
    const param = `adjustments.${code}`;
    throw ApiError.parameter(
      param,
      `${param} must be a whole number from -${MAX_BALANCE} to ${MAX_BALANCE}.`,
    );
  }
  return body as Record<string, number>;
}
