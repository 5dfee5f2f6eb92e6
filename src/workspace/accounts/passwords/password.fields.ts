import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { Normalized } from '../../../platform/http/bodies/email.field.js';
import { newPasswordProblem } from './new-password.policy.js';
import { normalizePassword, PASSWORD_MAX, PASSWORD_MIN } from './password.policy.js';

export function NormalizedPassword(): PropertyDecorator {
  return Normalized(normalizePassword);
}

/** A new password, NFC-normalised so that the same characters have the same hash, however they are typed. */
export function NewPasswordField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX }),
    NormalizedPassword(),
    ValidateBy({
      name: 'password',
      validator: {
        validate: (value: unknown) => newPasswordProblem(value) === null,
        defaultMessage: (given) => newPasswordProblem(given?.value) ?? '',
      },
    }),
  );
}
