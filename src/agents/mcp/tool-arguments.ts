import type { JsonSchemaValidator } from '@modelcontextprotocol/server';
import { isWellFormed } from '../../platform/http/bodies/fields.js';
import { parameterError } from './rest-error.js';
import type { Tool, ToolArguments } from './tool.js';

type Validator = JsonSchemaValidator<unknown>;

const validators = new WeakMap<Tool, Promise<Validator>>();

function validatorOf(tool: Tool): Promise<Validator> {
  const known = validators.get(tool);
  if (known) return known;
  const made = import('@modelcontextprotocol/server/validators/ajv').then(({ AjvJsonSchemaValidator }) => {
    const { inputSchema } = tool.listed;
    return new AjvJsonSchemaValidator().getValidator(inputSchema);
  });
  validators.set(tool, made);
  return made;
}

/**
 * Validates arguments against the listed schema. REST validates their meaning.
 * @throws RestError naming the argument
 */
export async function assertValidArguments(tool: Tool, args: ToolArguments): Promise<void> {
  const { properties, required = [] } = tool.listed.inputSchema;
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw parameterError(unknown, `${unknown} is not an argument of this tool.`);
  const malformed = Object.keys(args).find((name) => !isWellFormed(args[name]));
  if (malformed !== undefined) {
    throw parameterError(malformed, `${malformed} must not contain half of a surrogate pair.`);
  }
  const missing = required.find((name) => !Object.hasOwn(args, name));
  if (missing !== undefined) throw parameterError(missing, `${missing} is required.`);
  const result = (await validatorOf(tool))(args);
  if (result.valid) return;
  const name =
    Object.keys(properties).find((candidate) => result.errorMessage.includes(`/${candidate}`)) ?? '';
  throw parameterError(
    name,
    `${name} is not valid: ${result.errorMessage.replaceAll(`data/${name}`, name)}.`,
  );
}
