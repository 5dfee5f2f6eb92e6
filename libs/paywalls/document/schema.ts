import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type PaywallProblem, problem } from '../model.js';
import { below, lastKey } from './pointer.js';
import schema from '../paywall-document.schema.json' with { type: 'json' };

/** JSON Schema of a paywall document. */
export const paywallDocumentSchema: Readonly<Record<string, unknown>> = schema;

interface Validators {
  document: ValidateFunction;
  color: ValidateFunction;
}

let compiled: Validators | undefined;

/** Ajv copies all errors for each further one. With tens of thousands of wrong values, that would take minutes. */
function appendErrors(code: string): string {
  return code.replaceAll(
    /vErrors\.concat\(([\w.]+)\)/g,
    '($1.forEach((error) => vErrors.push(error)), vErrors)',
  );
}

/** Compiles the schema at its first use, which takes most of a second; most processes never need it. */
function validators(): Validators {
  if (compiled) return compiled;
  const ajv = new Ajv2020({
    allErrors: true,
    code: { process: appendErrors },
    discriminator: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    verbose: true,
  });
  ajv.addSchema(schema, 'document');
  compiled = {
    document: ajv.compile({ $ref: 'document' }),
    color: ajv.compile({ $ref: 'document#/$defs/color_scheme' }),
  };
  return compiled;
}

const typeNames: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

function nameOf(path: string): string {
  const key = lastKey(path);
  if (key === '') return 'The document';
  return /^\d+$/.test(key) ? `Item ${Number(key) + 1} of the list` : `\`${key}\``;
}

/** Tags that a union knows; the error holds the schema of the union. */
function tagsOf({ parentSchema }: ErrorObject, tag: string): string[] {
  const { oneOf = [] } = parentSchema as { oneOf?: { $ref?: string; properties?: TagSchemas }[] };
  const definitions: Record<string, object> = schema.$defs;
  return oneOf.flatMap((branch) => {
    const named = branch.$ref === undefined ? branch : definitions[branch.$ref.slice('#/$defs/'.length)];
    const { properties } = named as { properties?: TagSchemas };
    const { const: only, enum: several = [] } = properties?.[tag] ?? {};
    return only === undefined ? several : [only];
  });
}

type TagSchemas = Record<string, { const?: string; enum?: string[] }>;

function oneOfThese(path: string, values: readonly unknown[]): string {
  return `${nameOf(path)} must be one of ${values.join(', ')}.`;
}

/** One sentence for each keyword of the schema. */
function messageOf(error: ErrorObject): [path: string, message: string] {
  const { instancePath: path, keyword } = error;
  const params = error.params as Record<string, string & number & string[]>;
  const name = nameOf(path);
  switch (keyword) {
    case 'required':
      return [path, `\`${params.missingProperty}\` is missing.`];
    case 'additionalProperties':
      return [
        below(path, params.additionalProperty ?? ''),
        `\`${params.additionalProperty}\` is not known here.`,
      ];
    case 'propertyNames':
      return [below(path, params.propertyName ?? ''), `\`${params.propertyName}\` is not a valid name here.`];
    case 'discriminator': {
      const tag = params.tag ?? 'type';
      return [below(path, tag), oneOfThese(below(path, tag), [...new Set(tagsOf(error, tag))])];
    }
    case 'enum':
      return [path, oneOfThese(path, params.allowedValues ?? [])];
    case 'const':
      return [path, `${name} must be ${JSON.stringify(params.allowedValue)}.`];
    case 'type': {
      const types = [params.type ?? ''].flat();
      return [path, `${name} must be ${types.map((type) => typeNames[type] ?? type).join(' or ')}.`];
    }
    case 'minimum':
      return [path, `${name} must be at least ${params.limit}.`];
    case 'maximum':
      return [path, `${name} must be at most ${params.limit}.`];
    case 'minLength':
      return [path, `${name} must not be empty.`];
    case 'maxLength':
      return [path, `${name} may have at most ${params.limit} characters.`];
    case 'minItems':
    case 'minProperties':
      return [path, `${name} needs at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}.`];
    case 'maxItems':
    case 'maxProperties':
      return [path, `${name} may have at most ${params.limit} entries.`];
    case 'pattern':
      return [path, `${name} must match ${params.pattern}.`];
    default:
      return [path, `${name} ${error.message ?? 'is not valid'}.`];
  }
}

/** A union without a tag reports each of its branches; only the union itself is of interest. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = new Set(
    errors.filter(({ keyword }) => keyword === 'oneOf').map(({ instancePath }) => instancePath),
  );
  // A document may have tens of thousands of wrong values, so the unions around a place are looked up.
  const isInUnion = (path: string): boolean => {
    for (let around = path; ; around = around.slice(0, around.lastIndexOf('/'))) {
      if (unions.has(around)) return true;
      if (around === '') return false;
    }
  };
  // The name is reported with its pattern by `propertyNames`.
  const isOfName = ({ propertyName }: ErrorObject) => propertyName !== undefined;
  return errors.filter(
    (error) => error.keyword === 'oneOf' || !(isInUnion(error.instancePath) || isOfName(error)),
  );
}

function unionMessage({ instancePath, parentSchema }: ErrorObject): string {
  const { oneOf = [] } = parentSchema as { oneOf?: { type?: string; enum?: string[]; $ref?: string }[] };
  const choices = oneOf.map(({ type = '', enum: values, $ref }) => {
    if ($ref !== undefined) return 'an image';
    return values ? `one of ${values.join(', ')}` : (typeNames[type] ?? type);
  });
  return `${nameOf(instancePath)} must be ${choices.join(' or ')}.`;
}

type Breach = [path: string, message: string];

function breachesOf(validate: ValidateFunction, value: unknown, limit: number): Breach[] {
  if (validate(value)) return [];
  const errors = withoutBranches(validate.errors ?? []).slice(0, limit);
  return errors.map((error) =>
    error.keyword === 'oneOf' ? [error.instancePath, unionMessage(error)] : messageOf(error),
  );
}

/** The first `limit` breaches of the schema (E1), each with the place of the value. */
export function schemaProblems(document: unknown, limit = Number.POSITIVE_INFINITY): PaywallProblem[] {
  const breaches = breachesOf(validators().document, document, limit);
  return breaches.map(([path, message]) => problem('E1', path, message));
}

/** Returns what is wrong with a color of the settings, or null. */
export function colorProblem(value: unknown): string | null {
  const [breach] = breachesOf(validators().color, value, 1);
  return breach?.[1] ?? null;
}
