import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemsOf, render } from './chart.mjs';

/**
 * Objects that the chart makes with a values file.
 * @throws Error when it makes none, or Kubernetes would not take them
 */
export function renderWith(values, from) {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-values-'));
  try {
    const file = join(folder, 'values.yaml');
    // JSON is YAML, too, whatever the version.
    writeFileSync(file, JSON.stringify(values));
    const objects = render(['--values', file], from);
    const problems = objects.flatMap(problemsOf);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return objects;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns Helm's message if it refuses the values, else null. */
export function refusalOf(values) {
  try {
    renderWith(values);
    return null;
  } catch (error) {
    return String(error.stderr ?? error.message);
  }
}

export const ofKind = (objects, kind) => objects.filter((object) => object.kind === kind);

export const podsOf = (objects) =>
  [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Job')].map(({ spec }) => spec.template.spec);

/** The chart's own directory for temporary files. */
export const TMP_MOUNT = { name: 'tenure-tmp', mountPath: '/tmp' };
export const tmpOf = (sizeLimit) => ({ name: 'tenure-tmp', emptyDir: { sizeLimit } });
