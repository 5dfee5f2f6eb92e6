import { check } from './check.mjs';

/** Variables that are not settings of the server: of Node.js, of OpenTelemetry and the pod's name. */
const FOREIGN = /^(NODE_|OTEL_|POD_)/;

/**
 * What the server makes of an environment.
 * @throws Error when it has variables that the server does not know, or does not take
 */
export async function assertAccepted(environment) {
  const { loadConfig } = await import('../../dist/src/platform/config/config.js');
  const { settings } = await import('../../dist/src/platform/config/config.schema.js');
  const known = new Set(Object.values(settings).map(({ variable }) => variable));
  const names = Object.keys(environment);
  const unknown = names.filter((name) => !FOREIGN.test(name) && !known.has(name.replace(/_FILE$/, '')));
  check(unknown.length === 0, `the server knows ${names.length} variables ${unknown.join(', ')}`);
  return loadConfig(environment);
}
