import { createConfig, lintFromString } from '@redocly/openapi-core';

const rules = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-unused-components': 'error',
  'no-ambiguous-paths': 'off',
  'no-identical-paths': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-duplicated-tag-names': 'error',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-operationId-url-safe': 'error',
  'operation-parameters-unique': 'error',
  'operation-singular-tag': 'error',
  'operation-summary': 'error',
  'path-declaration-must-exist': 'error',
  'path-parameters-defined': 'error',
  'security-defined': { severity: 'error', exceptions: [] },
};

/** Finds errors of an OpenAPI document in its structure, references and examples, one line each. */
export async function documentProblems(document) {
  const config = await createConfig({ rules });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location }) => `${location[0]?.pointer ?? ''}: ${message}`);
}
