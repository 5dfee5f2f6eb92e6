import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { chart } from './chart.mjs';
import { ofKind, podsOf, renderWith } from './chart-objects.mjs';
import { check } from './check.mjs';

/** values.yaml of the first chart, which `helm upgrade --reuse-values` puts in place of the present one. */
const older = fileURLToPath(new URL('values-before.yaml', import.meta.url));

/** `helm upgrade --reuse-values` from the chart before: no default of this chart is there. */
export function checkOlderValues() {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-upgrade-'));
  try {
    const from = join(folder, 'tenure');
    cpSync(chart, from, { recursive: true, dereference: true });
    cpSync(older, join(from, 'values.yaml'));
    const before = parse(readFileSync(older, 'utf8'));
    const on = Object.fromEntries(
      ['ingress', 'serviceMonitor', 'prometheusRule', 'grafanaDashboard'].map((name) => [
        name,
        { enabled: true },
      ]),
    );
    const external = { worker: { autoscaling: { oldestDueSeconds: { enabled: true } } } };
    const own = { databaseUrl: 'postgres://db/tenure', encryptionKey: 'key' };
    for (const values of [{ secret: { existing: 'tenure' } }, { secret: own, ...on, ...external }]) {
      const objects = renderWith(values, from);
      const scaler = ofKind(objects, 'HorizontalPodAutoscaler')[0];
      check(
        scaler.spec.maxReplicas === before.api.autoscaling.maxReplicas,
        `values of the chart before make ${objects.length} objects, as large as they were`,
      );
      const pods = podsOf(objects);
      const isLockedDown = ({ securityContext, containers: [{ securityContext: own }] }) =>
        securityContext.runAsNonRoot && own.readOnlyRootFilesystem;
      const isPooled = ({ containers: [{ env }] }) =>
        env.some(({ name }) => name === 'SERVICE_DATABASE_POOL_SIZE');
      const hasTmp = ({ containers: [{ volumeMounts = [] }] }) =>
        volumeMounts.some(({ mountPath }) => mountPath === '/tmp');
      check(pods.every(hasTmp), 'with a directory for temporary files');
      check(pods.every(isLockedDown) && !pods.some(isPooled), 'with the rights and the pools that they had');
      const budgets = ofKind(objects, 'PodDisruptionBudget');
      check(
        budgets.length === 2 &&
          budgets.every(({ spec }) => spec.unhealthyPodEvictionPolicy === 'AlwaysAllow'),
        'and pods that are not ready let nodes be drained',
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
