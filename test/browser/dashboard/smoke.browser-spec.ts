import { describeInBrowser } from '../chromium.js';
import { axeFindings, expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { misbehave, misplaceControls } from './in-page.mjs';
import { expectGoodLayout, layoutProblems } from './layout.js';
import { motionsSoFar, noteMotions } from './motion.mjs';
import { shoot } from './screenshots.js';

const LONGEST_MOTION_MS = 150;
/** Run until something is there. */
const LOADING = ['pulse', 'spin', 'ui-slide'];

describeInBrowser('the dashboard in a browser', () => {
  const dashboard = useDashboard();

  it('shows itself under its policy, to people and to visitors', async () => {
    for (const person of [dashboard.owner, null]) {
      const page = await dashboard.open('/', person);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page);
      await shoot(page, person === null ? 'signed-out' : 'start');
    }
  });

  it('moves for at most 150 ms, and not at all for people who asked for less motion', async () => {
    /** What moves when a dialog, a toast and a menu open. */
    const motionsWith = async (reducedMotion: 'reduce' | 'no-preference') => {
      const page = await dashboard.newPage(dashboard.owner, { reducedMotion });
      await page.addInitScript(noteMotions);
      await page.goto(dashboard.url + dashboard.path('customers'));
      // An empty list has a button of its own.
      await page.getByRole('button', { name: 'New customer' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'New customer' });
      await dialog.getByLabel('App user id').fill(`asked for ${reducedMotion}`);
      await dialog.getByRole('button', { name: 'Create customer' }).click();
      await page.getByText('Customer created').waitFor();
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menu').waitFor();
      return page.evaluate(motionsSoFar);
    };
    expect(await motionsWith('reduce')).toEqual({});
    const found = Object.entries(await motionsWith('no-preference'));
    expect(found.map(([name]) => name)).toContain('opacity');
    const longer = found.filter(([name, ms]) => !LOADING.includes(name) && ms > LONGEST_MOTION_MS);
    expect(longer).toEqual([]);
  });

  it('has members with roles, who see their project', async () => {
    const viewer = await dashboard.member('viewer');
    const me = await viewer.session.get('/auth/me');
    expect(me.body.projects).toMatchObject([{ id: dashboard.projectId, role: 'viewer' }]);
  });

  it('keeps what is shown and typed while the server is away, and continues when it is back', async () => {
    dashboard.expectProblem(/ERR_CONNECTION_REFUSED/);
    dashboard.expectProblem(/This page could not be loaded/);
    await dashboard.owner.session.post(`/v2/projects/${dashboard.projectId}/customers`, { id: 'ada' });
    const page = await dashboard.open(dashboard.path('customers'));
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await page.waitForLoadState('networkidle');
    const dialog = page.getByRole('dialog');
    await dashboard.withoutServer(async () => {
      await page.keyboard.press('r');
      await page.getByText('Server not reachable, showing what was loaded').waitFor();
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      await page.getByRole('link', { name: 'ada' }).waitFor();
      await expectAccessible(page);
      // A page that was not loaded yet says so; the way back works.
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.goBack();
      await page.getByRole('link', { name: 'ada' }).waitFor();
      await page.getByRole('button', { name: 'New customer' }).click();
      await dialog.getByLabel('App user id').fill('typed while away');
      await dialog.getByRole('button', { name: 'Create customer' }).click();
      await dialog.getByText('The server cannot be reached.').waitFor();
    });
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { level: 1, name: 'typed while away' }).waitFor();
    await page.getByText('Server not reachable').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  });

  it('takes up a new build under an open tab by loading once, and never loops', async () => {
    dashboard.expectProblem(/status of 404 .*\/assets\//);
    dashboard.expectProblem(/This page could not be loaded/);
    const page = await dashboard.open(dashboard.path());
    await page.getByRole('heading', { level: 1 }).waitFor();
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    const missUntil = (file: RegExp, isBack: () => boolean) =>
      page.route(file, (route) =>
        isBack() ? route.continue() : route.fulfill({ status: 404, contentType: 'text/plain', body: 'gone' }),
      );
    await missUntil(/assets\/events-page-/, () => loads > 0);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(loads).toBe(1);

    await missUntil(/assets\/targeting-page-/, () => loads > 2);
    await page.getByRole('link', { name: 'Targeting', exact: true }).click();
    await page.getByRole('heading', { name: 'The dashboard was updated' }).waitFor();
    expect(loads).toBe(2);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Targeting' }).waitFor();
    expect(loads).toBe(3);
  });

  it('says so when a dialog is gone with the build before, and keeps what was typed', async () => {
    dashboard.expectProblem(/status of 404 .*\/assets\//);
    const page = await dashboard.newPage();
    await page.route(/assets\/parts-/, (route) =>
      route.fulfill({ status: 404, contentType: 'text/plain', body: 'gone' }),
    );
    await page.goto(dashboard.url + dashboard.path('customers'));
    await page.getByLabel('Find a customer').fill('typed');
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByText('The dashboard was updated').waitFor();
    expect(await page.getByLabel('Find a customer').inputValue()).toBe('typed');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Load the new version' }).click();
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('dialog').waitFor();
  });
});

describeInBrowser('the checks of every scenario', () => {
  const dashboard = useDashboard({ begin: 'nothing' });

  it('detects policy violations, exceptions and errors of the console', async () => {
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

  it('detects content outside the window, overlapping controls, and what axe finds', async () => {
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
