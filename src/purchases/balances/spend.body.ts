import { ApiProperty } from '@nestjs/swagger';
import { isJsonObject } from '../../../libs/kernel/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { jsonBody } from '../../platform/http/bodies/json-body.js';
import { hasLength } from '../../platform/http/bodies/text-length.js';
import { MAX_BALANCE } from '../currencies/virtual-currency.dto.js';

const MAX_CODES = 20;
const MAX_CODE_LENGTH = 10;
const MAX_REFERENCE_LENGTH = 255;

@BodyExample({ adjustments: { GLD: 20 }, reference: 'sword' })
export class SpendBodyDto {
  @ApiProperty({
    type: 'object',
    minProperties: 1,
    maxProperties: MAX_CODES,
    additionalProperties: { type: 'integer', minimum: 1, maximum: MAX_BALANCE },
    description: 'Amounts to subtract, by currency code.',
    example: { GLD: 20, SLV: 5 },
  })
  adjustments: object;

  @ApiProperty({
    type: String,
    maxLength: MAX_REFERENCE_LENGTH,
    nullable: true,
    required: false,
    description: 'Your own reference for this change.',
  })
  reference?: string | null;
}

export interface Spending {
  /** Amounts to subtract, greater than zero, sorted by currency code. */
  amounts: [code: string, amount: number][];
  reference: string | null;
}

/** Reads the body of `POST /v1/customer/virtual_currencies/spend`. @throws ApiError 400 */
export function readSpending(value: unknown): Spending {
  const { adjustments, reference = null } = jsonBody(value);
  if (reference !== null && !isReference(reference)) {
    throw ApiError.parameter(
      'reference',
      `reference must be a string of at most ${MAX_REFERENCE_LENGTH} characters, or null.`,
    );
  }
  return { amounts: readAmounts(adjustments), reference };
}

function readAmounts(adjustments: unknown): Spending['amounts'] {
  const entries = isJsonObject(adjustments) ? Object.entries(adjustments) : [];
  if (entries.length === 0 || entries.length > MAX_CODES) {
    throw ApiError.parameter(
      'adjustments',
      `adjustments must be an object with 1 to ${MAX_CODES} currencies.`,
    );
  }
  for (const [code, amount] of entries) {
    if (code.length > MAX_CODE_LENGTH) throw unknownCurrency(`${code.slice(0, MAX_CODE_LENGTH)}…`);
    const param = `adjustments.${code}`;
    if (Number.isInteger(amount) && (amount as number) > 0 && (amount as number) <= MAX_BALANCE) continue;
    throw ApiError.parameter(param, `${param} must be a whole number from 1 to ${MAX_BALANCE}.`);
  }
  return (entries as Spending['amounts']).sort(([a], [b]) => (a < b ? -1 : 1));
}

function isReference(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    hasLength(value, 0, MAX_REFERENCE_LENGTH) &&
    value.isWellFormed() &&
    !value.includes('\0')
  );
}

export function unknownCurrency(code: string): ApiError {
  return ApiError.parameter(
    `adjustments.${code}`,
    `There is no virtual currency ${JSON.stringify(code)} in use.`,
  );
}
