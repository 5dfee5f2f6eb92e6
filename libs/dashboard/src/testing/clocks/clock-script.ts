/** The documentation's example for a clock, with this clock's ids. */
export function clockScript(origin: string, projectId: string, clockId: string): string {
  const base = `${origin}/v2/projects/${projectId}`;
  const headers = `-H "Authorization: Bearer $SECRET_KEY" -H 'Content-Type: application/json'`;
  return [
    '# A customer who lives by the clock',
    `curl -X POST '${base}/customers' ${headers} \\`,
    `  -d '{"id":"ada","test_clock_id":"${clockId}"}'`,
    '',
    '# A month later (epoch milliseconds)',
    `curl -X POST '${base}/test_clocks/${clockId}/actions/advance' ${headers} \\`,
    `  -d '{"frozen_time":1800000000000}'`,
    '',
    '# Until "status" is "ready"',
    `curl '${base}/test_clocks/${clockId}' -H "Authorization: Bearer $SECRET_KEY"`,
  ].join('\n');
}
