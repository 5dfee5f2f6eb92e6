import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse as parseYaml } from 'yaml';

const folder = new URL('../../docker/grafana/', import.meta.url);
/** Labels of the target that Prometheus and a ServiceMonitor add. A sample's own would become `exported_…`. */
export const OF_TARGETS = [
  'instance',
  'job',
  'endpoint',
  'namespace',
  'pod',
  'container',
  'service',
  'node',
  'app_kubernetes_io_component',
];
/** Metrics that Prometheus adds for each target. */
const TARGET_METRICS = ['up'];

export interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

interface Panel {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit: string } };
  targets?: { expr: string; legendFormat: string }[];
}

export function alertRules(): AlertRule[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('-alerts.yaml'));
  return files.flatMap((name) => {
    const { groups } = parseYaml(readFileSync(new URL(name, folder), 'utf8')) as {
      groups: { rules: AlertRule[] }[];
    };
    return groups.flatMap(({ rules }) => rules);
  });
}

export function dashboardPanels(): Panel[] {
  const text = readFileSync(new URL('dashboards/tenure.json', folder), 'utf8');
  return (JSON.parse(text) as { panels: Panel[] }).panels;
}

interface Expression {
  metrics: string[];
  labels: string[];
  isValid: boolean;
}

/** Metrics that a PromQL expression reads. */
export function readExpression(text: string): Expression {
  const plain = text.replaceAll('$__rate_interval', '5m');
  const read: Expression = { metrics: [], labels: [], isValid: true };
  parser.parse(plain).iterate({
    enter({ type, name, from, to, node }) {
      const found = plain.slice(from, to);
      if (type.isError) read.isValid = false;
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') read.metrics.push(found);
      if (name === 'LabelName') read.labels.push(found);
    },
  });
  return read;
}

/** Metrics and labels that an expression names and that the text of `/metrics` does not have. */
export function unknownIn({ metrics, labels }: Expression, exposed: string): string[] {
  const samples = exposed.split('\n').filter((line) => metrics.some((name) => line.startsWith(`${name}{`)));
  const unknown = metrics.filter((name) => {
    if (TARGET_METRICS.includes(name)) return false;
    const base = name.replace(/_(bucket|sum|count)$/, '');
    return !new RegExp(`^# TYPE (${name}|${base}) `, 'm').test(exposed);
  });
  // Labels are unknown without a sample.
  if (samples.length === 0) return unknown;
  const known = (label: string): boolean =>
    label === 'le' ||
    OF_TARGETS.includes(label) ||
    samples.some((line) => new RegExp(`[{,]${label}="`).test(line));
  return [...unknown, ...labels.filter((label) => !known(label))];
}
