import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenAPI 3.0 says `nullable` where JSON Schema has the type null, and true where it has a bound. */
function asJsonSchema(node) {
  if (Array.isArray(node)) return node.map(asJsonSchema);
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, asJsonSchema(value)]);
  const { nullable, exclusiveMinimum, exclusiveMaximum, discriminator, example, ...schema } =
    Object.fromEntries(entries);
  if (typeof exclusiveMinimum === 'number') schema.exclusiveMinimum = exclusiveMinimum;
  if (typeof exclusiveMaximum === 'number') schema.exclusiveMaximum = exclusiveMaximum;
  // Properties may have these names, too.
  if (isObject(example) && example.type) schema.example = example;
  if (isObject(nullable)) schema.nullable = nullable;
  if (isObject(discriminator) && discriminator.type) schema.discriminator = discriminator;
  if (nullable !== true) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = schema.enum && { enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type, 'null'], ...values };
}

/** `/items/0/price` -> `items[].price` */
function placeOf(instancePath) {
  return instancePath
    .slice(1)
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? '[]' : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function textOf({ instancePath, message, params }) {
  const place = placeOf(instancePath);
  if (params.additionalProperty !== undefined) return `${place}: has ${params.additionalProperty}`;
  if (params.missingProperty !== undefined) return `${place}: lacks ${params.missingProperty}`;
  const values = params.allowedValues ? ` (${params.allowedValues.join(', ')})` : '';
  return `${place}: ${message}${values}`;
}

/** Where a union fails, the failures of its members say why; that it is not null either says nothing. */
function withoutUnions(errors) {
  const isUnion = ({ keyword, params }) =>
    keyword === 'anyOf' || keyword === 'oneOf' || (keyword === 'type' && params.type === 'null');
  const others = errors.filter((error) => !isUnion(error));
  return others.length > 0 ? others : errors;
}

/** Compares answers with the response schemas of an OpenAPI 3.0 document. */
export class AnswerValidator {
  constructor(document) {
    this.ajv = new Ajv({ strict: false, allErrors: true, logger: false });
    addFormats(this.ajv);
    this.ajv.addSchema({ $id: 'vendor', components: asJsonSchema(document.components) });
    this.components = document.components;
    this.compiled = new Map();
  }

  /** How an answer differs from what `operation` (named `name`) says of it, a line each. */
  differences(name, operation, { status, body }) {
    const known = operation.responses[String(status)];
    const response = known?.$ref ? this.components.responses[known.$ref.split('/').at(-1)] : known;
    if (!response) return [`the status ${status} is not in the document`];
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return [];
    const validate = this.compile(`${name} ${status}`, schema);
    if (validate(body)) return [];
    return [...new Set(withoutUnions(validate.errors).map(textOf))];
  }

  compile(key, schema) {
    const known = this.compiled.get(key);
    if (known) return known;
    const text = JSON.stringify(asJsonSchema(schema)).replaceAll('"#/components/', '"vendor#/components/');
    const validate = this.ajv.compile(JSON.parse(text));
    this.compiled.set(key, validate);
    return validate;
  }
}
