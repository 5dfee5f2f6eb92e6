import { ObjectArrayField, StringField } from '../../platform/http/bodies/fields.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import { isApiName } from '../../customers/customers/identity/attribute-names.js';
import { MAX_VALUE_LENGTH, valueProblem } from './attribute-values.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

export class AttributeFieldDto {
  @StringField({ max: 40, example: '$email' })
  name: string;

  @StringField({ min: 0, max: MAX_VALUE_LENGTH, nullable: true, description: 'Null deletes the attribute.' })
  value: string | null;
}

@BodyExample({ attributes: [{ name: '$email', value: 'ada@example.com' }] })
export class SetAttributesDto {
  @ObjectArrayField(() => AttributeFieldDto, { min: 1, max: 50 })
  attributes: AttributeFieldDto[];
}

/** @throws ApiError 400 naming the first invalid one (`attributes.0.name`) */
export function checkedAttributes(attributes: AttributeFieldDto[]): AttributeInput[] {
  return attributes.map(({ name, value }, index) => {
    if (!isApiName(name)) {
      const what =
        'must be a reserved name that exists, or letters, digits, _ and -, beginning with a letter';
      throw ApiError.parameter(`attributes.${index}.name`, `attributes.${index}.name ${what}.`);
    }
    const stored = value === '' ? null : value;
    const problem = valueProblem(name, stored);
    if (problem !== null) throw ApiError.parameter(`attributes.${index}.value`, problem);
    return { name, value: stored, updatedAtMs: null };
  });
}
