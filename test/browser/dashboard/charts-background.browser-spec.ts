import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const computing = (done: number) => ({
  reason: 'chart_computing',
  message: `The chart is being computed: ${done} of 500 parts are done.`,
});

describeInBrowser('charts that are computed in the background', () => {
  const dashboard = useDashboard();

  /** Opens a chart that answers this error until `errors` is empty. */
  const open = async (...errors: { reason: string; message: string }[]) => {
    if (errors.length > 0) dashboard.expectProblem(/status of 503/);
    const page = await dashboard.open(dashboard.path('overview'));
    await page.route(/\/charts\/cohort_explorer\?/, async (route) => {
      const [error] = errors;
      if (!error) return route.continue();
      const body = { object: 'error', type: 'server_error', retryable: true, ...error };
      return route.fulfill({
        status: 503,
        headers: { 'retry-after': '1', 'access-control-expose-headers': 'retry-after' },
        contentType: 'application/json',
        body: JSON.stringify(body),
      });
    });
    await page.getByRole('link', { name: 'Charts', exact: true }).first().click();
    await page.getByRole('link', { name: 'Cohort explorer', exact: true }).click();
    return { page, finish: () => errors.splice(0) };
  };

  it('shows the progress until the chart is there', async () => {
    const { page, finish } = await open(computing(12));
    await page.getByText('Computing this chart').waitFor();
    await page.getByText('12 of 500 parts').waitFor();
    const bar = page.getByRole('progressbar', { name: 'Computed parts' });
    expect(await bar.getAttribute('aria-valuenow')).toBe('12');
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await expectAccessible(page);
    await shoot(page, 'chart-computing');
    finish();
    await page.getByRole('table').first().waitFor();
    await bar.waitFor({ state: 'detached' });
  });

  it('says that too many charts are being computed, and asks again', async () => {
    const { page, finish } = await open({
      reason: 'too_many_charts',
      message: 'Too many charts are being computed.',
    });
    await page.getByText('Wait for one of them to finish.').waitFor();
    finish();
    await page.getByRole('table').first().waitFor();
  });

  it('says that a chart could not be computed', async () => {
    const { page } = await open({ reason: 'chart_failed', message: 'This chart could not be computed.' });
    await page.getByText('We will try again in 10 minutes.').waitFor();
    await expectAccessible(page);
  });

  it('computes an old answer again on request', async () => {
    const { page } = await open();
    await page.getByRole('table').first().waitFor();
    expect(await page.getByRole('button', { name: 'Compute again' }).count()).toBe(0);
    await page.route(/\/charts\/cohort_explorer\?/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { last_computed_at: number };
      const isFresh = route.request().url().includes('fresh=true');
      await route.fulfill({
        response: answer,
        json: { ...body, last_computed_at: body.last_computed_at - (isFresh ? 0 : 120_000) },
      });
    });
    await page.reload();
    const again = page.getByRole('button', { name: 'Compute again' });
    await again.click();
    await again.waitFor({ state: 'detached' });
  });
});
