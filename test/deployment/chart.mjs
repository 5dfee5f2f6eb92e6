import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { check } from './check.mjs';

const docker = fileURLToPath(new URL('../../docker', import.meta.url));
export const chart = join(docker, 'helm/tenure');
const grafana = join(docker, 'grafana');
export const helm = process.env.HELM ?? 'helm';

const replicas = ['postgres://one/tenure', 'postgres://two/tenure'];
const options = [
  'ingress.enabled',
  'serviceMonitor.enabled',
  'prometheusRule.enabled',
  'grafanaDashboard.enabled',
  'worker.autoscaling.oldestDueSeconds.enabled',
];

export const set = (values) =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
const existing = set({ 'secret.existing': 'tenure' });
const everything = set({
  ...Object.fromEntries(options.map((name) => [name, true])),
  ...Object.fromEntries(replicas.map((url, index) => [`secret.databaseReplicaUrls[${index}]`, url])),
});

/** Objects that the chart makes with `values` (arguments of Helm). */
export function render(values, from = chart) {
  const text = execFileSync(helm, ['template', 'shop', from, '--namespace', 'apps', ...values], {
    encoding: 'utf8',
    // Helm reports the link to docker/grafana each time.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
}

/** Problems of an object by the schema of its kind; none for kinds that Kubernetes itself does not know. */
export function problemsOf(object) {
  const [group, version = group] = object.apiVersion.split('/');
  if (['monitoring.coreos.com', 'gateway.networking.k8s.io'].includes(group)) return [];
  const path = group === version ? version : `${group}/${version}`;
  const Kind = createRequire(import.meta.url)(`kubernetes-models/${path}`)[object.kind];
  try {
    new Kind(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind} ${object.metadata.name}: ${error.message}`];
  }
}

function checkPods(objects) {
  const pods = objects.flatMap(({ kind, spec }) =>
    ['Deployment', 'Job'].includes(kind) ? spec.template.spec : [],
  );
  check(pods.length === 3, 'the chart runs servers, workers and the migration');
  const areLockedDown = pods.every(
    ({ securityContext, containers }) =>
      securityContext.runAsNonRoot && containers.every((one) => one.securityContext.readOnlyRootFilesystem),
  );
  check(areLockedDown, 'as a user without rights, on a read-only file system');
}

/** Alerts and dashboard are the files of docker/grafana themselves, also in a packaged chart. */
function checkMonitoring(objects) {
  const rules = objects.find(({ kind }) => kind === 'PrometheusRule');
  const files = readdirSync(grafana).filter((name) => name.endsWith('-alerts.yaml'));
  const groups = files.flatMap((name) => parse(readFileSync(join(grafana, name), 'utf8')).groups);
  check(
    isDeepStrictEqual(rules?.spec.groups, groups),
    `the rules are the ${groups.length} groups of docker/grafana`,
  );
  const dashboard = objects.find(({ kind }) => kind === 'ConfigMap');
  const isFound = dashboard?.metadata.labels.grafana_dashboard === '1';
  const text = readFileSync(join(grafana, 'dashboards/tenure.json'), 'utf8');
  check(
    isFound && dashboard.data['tenure.json'] === text.trimEnd(),
    'the dashboard is that of docker/grafana, with the label that finds it',
  );
}

function checkPackage(values) {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-chart-'));
  try {
    execFileSync(helm, ['package', chart, '--destination', folder], { stdio: 'ignore' });
    const [archive] = readdirSync(folder);
    check(
      isDeepStrictEqual(render(values, join(folder, archive)), render(values)),
      'a packaged chart makes the same',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the chart renders with several values, and which values it refuses. */
export function checkChart(encryptionKey) {
  const made = set({ 'secret.databaseUrl': 'postgres://db/tenure', 'secret.encryptionKey': encryptionKey });
  const full = [...made, ...everything];
  for (const values of [existing, made, full]) {
    execFileSync(helm, ['lint', chart, '--strict', '--quiet', ...values], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const objects = render(values);
    const problems = objects.flatMap(problemsOf);
    check(
      problems.length === 0,
      `${objects.length} objects are as Kubernetes wants them ${problems.join('\n')}`,
    );
    checkPods(objects);
  }
  const kinds = new Set(render(made).map(({ kind }) => kind));
  const optional = ['ConfigMap', 'PrometheusRule', 'ServiceMonitor', 'Ingress'];
  check(
    !optional.some((kind) => kinds.has(kind)),
    `without being asked for, there is no ${optional.join(', ')}`,
  );
  checkMonitoring(render(full));
  checkPackage(full);
  const urlsIn = (values) =>
    render(values).find(({ kind }) => kind === 'Secret').stringData.SERVICE_DATABASE_REPLICA_URLS;
  check(urlsIn(full) === replicas.join(',') && urlsIn(made) === undefined, 'the secret names the replicas');
  check(!render(existing).some(({ kind }) => kind === 'Secret'), 'an existing secret is left alone');
  for (const wrong of [
    [],
    [...existing, ...set({ publicUrl: 'nowhere' })],
    [...existing, ...set({ publicUrl: 'http://example.com' })],
    [...existing, ...set({ typo: 1 })],
    [...made, ...set({ 'secret.databaseReplicaUrls[0]': 'mysql://one/tenure' })],
    [...made, ...set({ 'secret.databaseDirectUrl': 'mysql://one/tenure' })],
    [...existing, ...set({ 'image.digest': 'latest' })],
    [...existing, ...set({ 'environment.PORT.valueFrom.fieldRef.fieldPath': 'metadata.name' })],
  ]) {
    const { status } = spawnSync(helm, ['template', chart, ...wrong], { stdio: 'ignore' });
    const what = wrong.at(-1) ?? 'no secret';
    check(status !== 0, `values that cannot work are refused: ${what}`);
  }
}
