import { readFileSync } from 'node:fs';
import { leaveFigures } from '../support/arrange-figures.js';
import { createTestStore } from '../support/arrange-store.js';
import { alertRules, dashboardPanels, readExpression, unknownIn } from '../support/prometheus-expressions.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('what operators watch figures with', () => {
  let server: TestServer;
  let exposed: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ROLE: 'api' } });
    await leaveFigures(server, await createTestStore(server));
    exposed = await (await fetch(`${server.baseUrl}/metrics`)).text();
  });

  afterAll(() => server.close());

  it('parses as alert rules, on metrics and labels that exist', () => {
    const rules = alertRules();
    expect(rules.length).toBeGreaterThan(15);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, expr, labels, annotations } of rules) {
      const read = readExpression(expr);
      expect([alert, read.isValid, unknownIn(read, exposed)]).toEqual([alert, true, []]);
      expect(read.metrics).not.toEqual([]);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary && annotations.description).toBeTruthy();
    }
  });

  it('selects process figures only with their job, because others have them too', () => {
    const read = [
      ...alertRules().map(({ expr }) => expr),
      ...dashboardPanels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ].filter((expr) => /\b(process|nodejs)_/.test(expr));
    expect(read.length).toBeGreaterThan(4);
    for (const expr of read)
      expect(expr).toMatch(/^\w*\(?(process|nodejs)_\w+\{job=~"(\$job|\.\*tenure\.\*)"\}/);
    const shares = dashboardPanels().filter(
      ({ fieldConfig }) => fieldConfig?.defaults.unit === 'percentunit',
    );
    expect(shares.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))).toEqual([
      expect.stringContaining('process_cpu_seconds_total'),
    ]);
  });

  it('alerts about missing processes and failing receipts', () => {
    const exprOf = (name: string) => alertRules().find(({ alert }) => alert === name)?.expr ?? '';
    expect(exprOf('TenureDown')).toContain('absent(up{');
    // It counts what the routes count.
    expect(exposed).toMatch(
      /^tenure_http_requests_total\{api="v1",method="POST",route="\/v1\/receipts",status="200"\} [1-9]/m,
    );
    expect(exprOf('TenureReceiptsFailing')).toContain('{method="POST",route="/v1/receipts",status=~"5.."}');
  });

  it('includes a dashboard whose panels parse, on metrics and labels that exist, and lie side by side', () => {
    const panels = dashboardPanels();
    const used = new Set<string>();
    for (const { title, targets = [] } of panels) {
      for (const { expr } of targets) {
        const read = readExpression(expr);
        for (const name of read.metrics) used.add(name.replace(/_(bucket|count|sum)$/, ''));
        expect([title, expr, read.isValid, unknownIn(read, exposed)]).toEqual([title, expr, true, []]);
      }
    }
    const own = [...exposed.matchAll(/^# TYPE (tenure_\w+) /gm)].map(([, name]) => name);
    expect(own.filter((name) => !used.has(name ?? ''))).toEqual([]);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('includes a runbook whose queries Prometheus and the database accept', async () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
    const code = [...runbook.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
    const statements = code.flatMap((text) => /^sql '(.*)'$/.exec(text)?.[1] ?? []);
    const ofPrometheus = code.filter((text) => /^[a-z_]+ ?(by|\(|\{).*tenure_|^tenure_/.test(text));
    expect([statements.length > 15, ofPrometheus.length > 25]).toEqual([true, true]);
    for (const text of statements.filter((one) => one.startsWith('SELECT'))) {
      await server.dataSource.query(`EXPLAIN ${text}`);
    }
    for (const text of ofPrometheus) {
      const read = readExpression(text);
      expect([text, read.isValid, unknownIn(read, exposed)]).toEqual([text, true, []]);
    }
  });

  it('contains only valid PromQL about existing metrics', () => {
    expect(readExpression('sum(rate(tenure_x[5m])').isValid).toBe(false);
    expect(unknownIn(readExpression('tenure_x{a="b"} > 1'), exposed)).toEqual(['tenure_x']);
    expect(unknownIn(readExpression('sum by (kind) (tenure_database_connections)'), exposed)).toEqual([
      'kind',
    ]);
  });
});
