import { readFileSync } from 'node:fs';
import { alertRules } from '../../../test/support/prometheus-expressions.js';

const text = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const sections = new Map(
  text.split(/^### /m).flatMap((section, index): [string, string][] => {
    const [name = '', ...lines] = section.split('\n');
    return index === 0 ? [] : [[name, lines.join('\n')]];
  }),
);

describe('the runbook', () => {
  it('has a section for every alert, and no other', () => {
    const alerts = alertRules().map(({ alert }) => alert);
    expect([...sections.keys()].toSorted()).toEqual(alerts.toSorted());
  });

  it.each(alertRules())('has a section for $alert', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  });

  it.each([...sections])(
    'says what %s means, and three steps, each with what to run or to set',
    (_, section) => {
      const [meaning = '', ...steps] = section.split(/^\d\. /m);
      expect(meaning.trim()).not.toBe('');
      expect(steps.length).toBe(3);
      for (const step of steps) expect(step).toMatch(/`[^`]+`|\]\(/);
    },
  );
});
