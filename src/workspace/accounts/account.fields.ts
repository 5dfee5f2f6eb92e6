import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { EMAIL_MAX, isEmail, normalizeEmail } from './email.js';
import { isPassword, normalizePassword, PASSWORD_MAX, PASSWORD_MIN } from './passwords/password-policy.js';

function normalized(normalize: (text: string) => string): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalize(value) : value));
}

export function NormalizedEmail(): PropertyDecorator {
  return normalized(normalizeEmail);
}

export function NormalizedPassword(): PropertyDecorator {
  return normalized(normalizePassword);
}

function rule(name: string, message: string, accepts: (value: string) => boolean): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && accepts(value),
      defaultMessage: () => message,
    },
  });
}

/** An e-mail address, trimmed and in lower case. */
export function EmailField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, format: 'email', maxLength: EMAIL_MAX, example: 'ada@example.com' }),
    NormalizedEmail(),
    rule('email', 'must be an e-mail address', isEmail),
  );
}

/** A new password, NFC-normalised so that the same characters give the same hash however they are typed. */
export function NewPasswordField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX }),
    NormalizedPassword(),
    rule('password', `must be ${PASSWORD_MIN} to ${PASSWORD_MAX} characters, none of them NUL`, isPassword),
  );
}
