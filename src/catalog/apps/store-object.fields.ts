import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  Validate,
  ValidateIf,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { isJsonObject } from '../../../libs/kernel/index.js';

const MAX_SERVICE_ACCOUNT_LENGTH = 20_000;

const MAX_APPLE_ID = 999_999_999_999_999;

/** Returns a Google service account as text, from its JSON file or the parsed object; null for anything else. */
export function serviceAccountText(value: unknown): string | null {
  if (isJsonObject(value)) return JSON.stringify(value);
  if (typeof value !== 'string' || value.length > MAX_SERVICE_ACCOUNT_LENGTH) return null;
  try {
    return isJsonObject(JSON.parse(value)) ? value : null;
  } catch {
    return null;
  }
}

@ValidatorConstraint({ name: 'serviceAccount' })
class ServiceAccountRule implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    const text = serviceAccountText(value);
    return text !== null && text.length <= MAX_SERVICE_ACCOUNT_LENGTH;
  }

  defaultMessage(): string {
    return `must be a JSON object, or its text, of at most ${MAX_SERVICE_ACCOUNT_LENGTH} characters`;
  }
}

@ValidatorConstraint({ name: 'appleId' })
class AppleIdRule implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    return Number.isInteger(number) && Number(number) >= 1 && Number(number) <= MAX_APPLE_ID;
  }

  defaultMessage(): string {
    return `must be a whole number from 1 to ${MAX_APPLE_ID}`;
  }
}

function given(_: object, value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Optional, nullable: the key file of a Google service account, as text or as a parsed object. */
export function ServiceAccountField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      required: false,
      oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }, { type: 'null' }],
      description: 'Key file of a service account: the JSON object, or its text.',
    }),
    ValidateIf(given),
    Validate(ServiceAccountRule),
  );
}

/** Optional, nullable: the number of an app in the App Store, as a number or as text. */
export function AppleIdField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      required: false,
      oneOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }],
      description: 'The Apple ID of the app: its number in the App Store.',
      example: 6443000000,
    }),
    ValidateIf(given),
    Validate(AppleIdRule),
  );
}
