/** @throws Error naming what does not hold */
export function check(condition, what) {
  if (!condition) throw new Error(`deployment check: ${what}`);
  process.stdout.write(`ok: ${what}\n`);
}

/** Variables that are not settings of the server: of Node.js, of OpenTelemetry and the pod's name. */
const FOREIGN = /^(NODE_|OTEL_|POD_)/;

/**
 * Reads an environment as the server does.
 * @throws Error if a variable is unknown or its value invalid
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
