import { ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';

/**
 * A request body that succeeds unchanged once the objects it refers to exist. API explorers send it by default; without
 * one they fill in every field with a placeholder.
 */
export function BodyExample(example: Record<string, unknown>): ClassDecorator {
  return ApiSchema({ example } as ApiSchemaOptions);
}
