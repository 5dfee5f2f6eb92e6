import { axeFindings, expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { misbehave, misplaceControls } from './in-page.mjs';
import { expectGoodLayout, layoutProblems } from './layout.js';
import { shoot } from './screenshots.js';

describe('the dashboard in a browser', () => {
  const dashboard = useDashboard();

  it('shows itself under its policy, to people and to visitors', async () => {
    for (const person of [dashboard.owner, null]) {
      const page = await dashboard.open('/', person);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page);
      await shoot(page, person === null ? 'signed-out' : 'start');
    }
  });

  it('has members with roles, who see their project', async () => {
    const viewer = await dashboard.member('viewer');
    const me = await viewer.session.get('/auth/me');
    expect(me.body.projects).toMatchObject([{ id: dashboard.projectId, role: 'viewer' }]);
  });
});

describe('the checks of every scenario', () => {
  const dashboard = useDashboard({ begin: 'nothing' });

  it('notice what breaks the policy, exceptions and errors of the console', async () => {
    const page = await dashboard.open('/', null);
    for (const pattern of [
      /policy violation: style-src-elem inline/,
      /policy violation: require-trusted-types-for/,
      /exception: Error: thrown on purpose/,
      /written on purpose/,
      /status of 404 .*\/v2\/nowhere/,
    ])
      dashboard.expectProblem(pattern);
    // Chromium also writes its own words about each violation.
    dashboard.expectProblem(/Content Security Policy|TrustedHTML/);
    await page.evaluate(misbehave);
  });

  it('notice what is out of the window, controls over each other, and what axe finds', async () => {
    const page = await dashboard.open('/', null);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectGoodLayout(page);
    await page.evaluate(misplaceControls);
    expect(await layoutProblems(page)).toEqual([
      expect.stringContaining('the window 1280'),
      'not all in the window: button "three"',
      'lie over each other: button "one" and button "two"',
    ]);
    expect(await axeFindings(page)).toContainEqual(expect.stringContaining('image-alt'));
  });
});
