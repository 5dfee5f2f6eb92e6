import { ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';

/**
 * A request body that succeeds as it is, once what it names exists. API explorers send it unless the caller changes it;
 * without one they fill in every field with a placeholder.
 */
export function BodyExample(example: Record<string, unknown>): ClassDecorator {
  return ApiSchema({ example } as ApiSchemaOptions);
}
