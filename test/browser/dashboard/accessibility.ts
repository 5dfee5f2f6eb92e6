import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
/** Every success criterion of WCAG 2.0 to 2.2, level A and AA, that a program can check. */
const RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], preload: false };

interface Finding {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds on the page as it is now, open dialogs included. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The policy of the page refuses added scripts, as it should; the debugging protocol is not the page.
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  try {
    await evaluate(`typeof axe === 'undefined' && (() => { ${source} })(); 0`);
    const violations = (await evaluate(
      `axe.run(document, ${JSON.stringify(RULES)}).then(({ violations }) => violations)`,
    )) as Finding[];
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
    );
  } finally {
    await session.detach();
  }
}

/** @throws with what axe finds */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
}
