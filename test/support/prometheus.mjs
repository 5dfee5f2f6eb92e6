import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { end, onFreePort, start, untilOrEnded } from '../operations/programs.mjs';

const grafana = fileURLToPath(new URL('../../docker/grafana', import.meta.url));
export const ruleFiles = readdirSync(grafana)
  .filter((name) => name.endsWith('-alerts.yaml'))
  .map((name) => join(grafana, name));

/** Groups of all rules that are shipped. */
export const ruleGroups = () => ruleFiles.flatMap((file) => parse(readFileSync(file, 'utf8')).groups);

/** Panels of the dashboard that is shipped. */
export const dashboardPanels = () =>
  JSON.parse(readFileSync(join(grafana, 'dashboards/tenure.json'), 'utf8')).panels;

/** Debian's packages `prometheus` has both. */
export const hasPrometheus = () =>
  ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0);

/**
 * A Prometheus that asks `targets` ({ address, labels }) every second. Labels of the target win over those of samples, as
 * a ServiceMonitor without `honorLabels` has it.
 */
export async function startPrometheus({ folder, groups, targets, honorLabels = false, everyMs = 1_000 }) {
  const place = join(folder, 'prometheus');
  mkdirSync(place, { recursive: true });
  const interval = `${everyMs}ms`;
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: ['rules.yaml'],
    scrape_configs: [
      {
        job_name: 'operator',
        honor_labels: honorLabels,
        static_configs: targets.map(({ address, labels }) => ({ targets: [address], labels })),
      },
    ],
  };
  writeFileSync(join(place, 'prometheus.yaml'), stringify(config));
  writeFileSync(join(place, 'rules.yaml'), stringify({ groups }));
  return onFreePort('Prometheus', (port) => launch(place, port));
}

async function launch(place, port) {
  const url = `http://127.0.0.1:${port}`;
  const child = start(
    'prometheus',
    [
      `--config.file=${join(place, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(place, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const isReady = async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  if (!(await untilOrEnded(child, 'Prometheus is ready', isReady))) return null;
  const get = async (path, parameters = {}) => {
    const answer = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = await answer.json();
    if (status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${error}`);
    return data;
  };
  return {
    /** @returns samples of an instant query: { metric, value } */
    query: async (query) => (await get('query', { query })).result,
    series: (metric) => get('series', { 'match[]': metric }),
    labels: () => get('labels'),
    valuesOf: (label, metric) => get(`label/${label}/values`, { 'match[]': metric }),
    /** Rules with their state, and the error of their last evaluation. */
    rules: async () => (await get('rules')).groups.flatMap(({ rules }) => rules),
    stop: () => end(child),
  };
}
