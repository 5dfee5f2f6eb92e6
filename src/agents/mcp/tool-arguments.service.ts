import { Injectable } from '@nestjs/common';
import type { JsonSchemaValidator } from '@modelcontextprotocol/server';
import { isWellFormed } from '../../platform/http/bodies/fields.js';
import { parameterError } from './rest-error.js';
import type { Tool, ToolArguments } from './tool.js';

type Validator = JsonSchemaValidator<unknown>;

/** Validates arguments against the listed schema. REST validates their meaning. */
@Injectable()
export class ToolArgumentsService {
  private readonly validators = new WeakMap<Tool, Promise<Validator>>();

  /** @throws RestError naming the argument */
  async assertValid(tool: Tool, args: ToolArguments): Promise<void> {
    const { properties, required = [] } = tool.listed.inputSchema;
    const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
    if (unknown !== undefined) throw parameterError(unknown, `${unknown} is not an argument of this tool.`);
    const malformed = Object.keys(args).find((name) => !isWellFormed(args[name]));
    if (malformed !== undefined) {
      throw parameterError(malformed, `${malformed} must not contain half of a surrogate pair.`);
    }
    const missing = required.find((name) => !Object.hasOwn(args, name));
    if (missing !== undefined) throw parameterError(missing, `${missing} is required.`);
    const result = (await this.validatorOf(tool))(args);
    if (result.valid) return;
    const name =
      Object.keys(properties).find((candidate) => result.errorMessage.includes(`/${candidate}`)) ?? '';
    throw parameterError(
      name,
      `${name} is not valid: ${result.errorMessage.replaceAll(`data/${name}`, name)}.`,
    );
  }

  private validatorOf(tool: Tool): Promise<Validator> {
    const known = this.validators.get(tool);
    if (known) return known;
    const made = import('@modelcontextprotocol/server/validators/ajv').then(({ AjvJsonSchemaValidator }) => {
      const { inputSchema } = tool.listed;
      return new AjvJsonSchemaValidator().getValidator(inputSchema);
    });
    this.validators.set(tool, made);
    return made;
  }
}
