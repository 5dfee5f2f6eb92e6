import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { EMAIL_MAX, isEmail, normalizeEmail } from './email.js';

/** Normalises a string before the other rules run. */
export function Normalized(normalize: (text: string) => string): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalize(value) : value));
}

export function NormalizedEmail(): PropertyDecorator {
  return Normalized(normalizeEmail);
}

/** An email address, trimmed and in lower case. */
export function EmailField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, format: 'email', maxLength: EMAIL_MAX, example: 'ada@example.com' }),
    NormalizedEmail(),
    ValidateBy({
      name: 'email',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isEmail(value),
        defaultMessage: () => 'must be an email address',
      },
    }),
  );
}
