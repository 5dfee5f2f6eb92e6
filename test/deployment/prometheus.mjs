import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { buildWorld } from '../../bench/world.mjs';
import { Cluster } from '../chaos/cluster.mjs';
import { until } from '../operations/programs.mjs';
import { startServer } from '../operations/server.mjs';
import {
  dashboardPanels,
  hasPrometheus,
  ruleFiles,
  ruleGroups,
  startPrometheus,
} from '../support/prometheus.mjs';
import { render, set } from './chart.mjs';
import { check } from './check.mjs';

const RULE_TESTS = fileURLToPath(new URL('alert-rules.test.yaml', import.meta.url));
/** Metrics that a healthy server without read replicas, exports and unknown values does not have. */
const EMPTY_WHEN_HEALTHY =
  /tenure_replica_|tenure_unable.*> 0|status=~\\?"5|unknown_product|unknown_values|external_purchase_token|export_run_seconds/;
const WITHIN_MS = 30_000;

/** The labels that the operator gives the pods of a component, by the ServiceMonitor that the chart renders. */
function targetLabels(objects, component) {
  const one = (kind, isWanted = () => true) =>
    objects.find((object) => object.kind === kind && isWanted(object));
  const service = one('Service', ({ spec }) => spec.clusterIP === 'None');
  const { endpoints, jobLabel, podTargetLabels = [] } = one('ServiceMonitor').spec;
  const { metadata, spec } = one('Deployment', ({ metadata: { name } }) => name.endsWith(component)).spec
    .template;
  const ofPod = podTargetLabels.map((name) => [name.replaceAll(/\W/g, '_'), metadata.labels[name]]);
  return {
    job: service.metadata.labels[jobLabel] ?? service.metadata.name,
    endpoint: endpoints[0].port,
    namespace: 'apps',
    service: service.metadata.name,
    pod: `${service.metadata.name}-${component}-0`,
    container: spec.containers[0].name,
    ...Object.fromEntries(ofPod),
  };
}

function promtool(args) {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  check(status === 0, `promtool ${args[0]} ${args[1]}${status === 0 ? '' : `: ${stdout}${stderr}`}`);
}

const legendOf = ({ legendFormat }, { metric }) =>
  legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? '');

/** Why a panel's lines are wrong: there are none, two look the same, or a label is missing. */
async function problemsOf({ title, targets = [] }, ask) {
  const problems = [];
  const legends = [];
  for (const target of targets) {
    const samples = (await ask(target.expr)).filter(({ value }) => value[1] !== 'NaN');
    if (samples.length === 0 && !EMPTY_WHEN_HEALTHY.test(target.expr))
      problems.push(`${title}: no data of ${target.expr}`);
    for (const [, label] of target.legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      // Of what tenure_unable cannot do, only a table has a name.
      if (label !== 'table' && samples.some(({ metric }) => !metric[label]))
        problems.push(`${title}: a line without ${label}`);
    }
    legends.push(...samples.map((sample) => legendOf(target, sample)));
  }
  const repeated = legends.filter((legend, index) => legends.indexOf(legend) < index);
  return [...problems, ...repeated.map((legend) => `${title}: two lines are "${legend}"`)];
}

/** Labels by which a rule groups must exist on each metric that it reads. */
async function missingLabels({ name, query }, prometheus) {
  const labels = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list.split(/,\s*/));
  const metrics = [...new Set(query.match(/\b(?:tenure|nodejs|process)_\w+|\bup\b/g))];
  const missing = [];
  for (const metric of metrics) {
    const series = await prometheus.series(metric);
    for (const label of labels) {
      if (series.length > 0 && !series.some((one) => one[label]))
        missing.push(`${name}: ${metric} has no ${label}`);
    }
  }
  return missing;
}

/** Buys until it is stopped, and gets some answers that are errors. */
function startTraffic(url, { sdkHeaders }) {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const body = JSON.stringify({
        app_user_id: randomUUID(),
        fetch_token: `test_${Date.now()}_${randomUUID()}`,
        product_id: 'pro_monthly',
        currency: 'USD',
      });
      const headers = { 'content-type': 'application/json', ...sdkHeaders };
      await (await fetch(`${url}/v1/receipts`, { method: 'POST', headers, body })).arrayBuffer();
      await (await fetch(`${url}/v1/subscribers/someone`, { headers })).arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

async function checkScraped(prometheus, targets) {
  const ask = async (expr) => {
    const job = `(${(await prometheus.valuesOf('job', 'tenure_processes')).join('|')})`;
    return prometheus.query(expr.replaceAll('$__rate_interval', '10s').replaceAll('$job', job));
  };
  const panels = dashboardPanels();
  let problems = [];
  const look = async () => (problems = (await Promise.all(panels.map((one) => problemsOf(one, ask)))).flat());
  await until('panels have data', async () => (await look()).length === 0, WITHIN_MS).catch(() => undefined);
  const queries = panels.flatMap(({ targets: all = [] }) => all).length;
  check(
    problems.length === 0,
    `${queries} queries of the dashboard show lines with names ${problems.join('\n')}`,
  );
  const hidden = (await prometheus.labels()).filter((label) => label.startsWith('exported_'));
  check(hidden.length === 0, `no label of a metric is one of its target ${hidden.join(', ')}`);
  await until('rules are evaluated', async () =>
    (await prometheus.rules()).every(({ health }) => health !== 'unknown'),
  );
  const rules = await prometheus.rules();
  const wrong = rules.flatMap(({ name, health, lastError = '' }) =>
    health === 'ok' ? [] : `${name} ${lastError}`,
  );
  for (const rule of rules) wrong.push(...(await missingLabels(rule, prometheus)));
  check(
    wrong.length === 0,
    `${rules.length} rules are evaluated, on labels that are there ${wrong.join('; ')}`,
  );
  const firing = rules.filter(({ state }) => state === 'firing').map(({ name }) => name);
  check(firing.length === 0, `of ${targets.length} healthy processes none fires ${firing.join(', ')}`);
}

/** A real Prometheus with the chart's rules asks real servers, with the labels that a ServiceMonitor adds. */
export async function checkPrometheus() {
  if (!hasPrometheus()) {
    process.stdout.write(
      'no prometheus here (apt-get install prometheus): rules and panels are not tried on a scrape\n',
    );
    return;
  }
  promtool(['check', 'rules', ...ruleFiles]);
  promtool(['test', 'rules', RULE_TESTS]);
  const objects = render(set({ 'secret.existing': 'tenure', 'serviceMonitor.enabled': true }));
  const cluster = new Cluster();
  const stops = [() => cluster.stop()];
  try {
    await cluster.start();
    const databaseUrl = await cluster.createDatabase('metrics');
    const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    stops.push(() => receiver.closeAllConnections() || receiver.close());
    const api = await startServer(databaseUrl, { env: { SERVICE_ROLE: 'api' } });
    stops.push(api.stop);
    const worker = await startServer(databaseUrl, { env: { SERVICE_ROLE: 'worker' } });
    stops.push(worker.stop);
    const world = await buildWorld(api.url, 0, `http://127.0.0.1:${receiver.address().port}`);
    stops.push(startTraffic(api.url, world));
    const targets = Object.entries({ api, worker }).map(([component, { url }]) => ({
      address: new URL(url).host,
      labels: targetLabels(objects, component),
    }));
    const { honorLabels } = objects.find(({ kind }) => kind === 'ServiceMonitor').spec.endpoints[0];
    const prometheus = await startPrometheus({
      folder: cluster.folder,
      groups: ruleGroups(),
      targets,
      honorLabels,
    });
    stops.push(prometheus.stop);
    await checkScraped(prometheus, targets);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
