import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { features } from '../../../src/enterprise/licence/features.js';
import {
  addOrganizationMember,
  addOrganizationProject,
  createOrganization,
  enforceSso,
  licencePublicKey,
  reapplyRoles,
  type TestOrganization,
  testLicence,
  verifyDomain,
} from '../../support/arrange-enterprise.js';
import { type SignedUp, signUp } from '../../support/arrange.js';
import { NameServer } from '../../support/name-server.js';
import { LooseProvider } from '../../support/oidc-peers.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { dialogProblems } from './dialogs.js';
import { settled, shoot } from './screenshots.js';

const DAY_MS = 86_400_000;
const DOMAIN = 'example.org';
const EXPIRES_IN_DAYS = 3;

describeInBrowser('an organization of a licensed server', () => {
  let names: NameServer;
  let provider: LooseProvider;
  let organization: TestOrganization;
  let shopId: string;
  const dashboard = useDashboard(async () => {
    names = await NameServer.start();
    const [startMs, expiresAtMs] = [Date.now() - DAY_MS, Date.now() + EXPIRES_IN_DAYS * DAY_MS];
    return {
      begin: 'project',
      env: {
        SERVICE_LICENSE_KEY: testLicence({
          features: features.filter((feature) => feature !== 'scim'),
          issuedAtMs: startMs,
          expiresAtMs,
        }),
        SERVICE_LICENSE_PUBLIC_KEY: licencePublicKey,
        SERVICE_DNS_SERVERS: names.address,
      },
    };
  });

  beforeAll(async () => {
    provider = await LooseProvider.start(dashboard.server.clock);
    organization = await createOrganization(dashboard.server, { owner: dashboard.owner, name: 'Acme Group' });
    shopId = (await dashboard.owner.session.post('/v2/projects', { name: 'Shop' })).body.id as string;
    await addOrganizationProject(dashboard.server, organization, shopId);
  });

  afterAll(() => Promise.all([names.stop(), provider.stop()]));

  const pathOf = (page: string, { id }: Pick<TestOrganization, 'id'> = organization): string =>
    `/organizations/${id}/${page}`;
  const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });
  /** The server does not know the port that it listens at. */
  const here = (address: string): string => {
    const { pathname, search } = new URL(address);
    return dashboard.url + pathname + search;
  };

  async function check(page: Page, name: string): Promise<void> {
    // Scrolled content is below the bar at the top.
    await page.evaluate('scrollTo(0, 0)');
    await settled(page);
    await expectAccessible(page);
    await shoot(page, name);
  }

  /** Opens a menu of a row and chooses an entry. */
  async function choose(page: Page, menu: string, entry: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${menu}`, exact: true }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  }

  /** Answers a question with yes. While it is open, nothing else of the page is there for anybody. */
  async function confirm(page: Page, answer: string): Promise<void> {
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: answer, exact: true }).click();
    await question.waitFor({ state: 'detached' });
  }

  /** A member of the organization who has a role in the shop. */
  async function inShop(role: string): Promise<SignedUp> {
    const person = await addOrganizationMember(dashboard.server, organization, 'member');
    await dashboard.server.dataSource.query(
      `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, $3, $4)`,
      [shopId, person.userId, role, new Date(dashboard.server.clock.nowMs())],
    );
    await reapplyRoles(dashboard.server, organization.id);
    return person;
  }

  it('supports creating, renaming, handing over, leaving and deleting', async () => {
    const newOwner = await signUp(dashboard.server);
    const page = await dashboard.open('/organizations');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New organization' }).click();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Give the organization a name.').waitFor();
    await dialog.getByLabel('Name').fill('Holding');
    await dialog.getByLabel('Region').selectOption({ label: 'European Union' });
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Holding' }).waitFor();
    await page.getByText('European Union').waitFor();

    const navigation = page.getByRole('navigation', { name: 'Organization' });
    await navigation.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Name').fill('Holdings');
    await page.getByLabel('Region').selectOption({ label: 'United States' });
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: /^Holdings ?, switch project$/ }).waitFor();

    // The only owner can neither go nor be changed.
    await navigation.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: `Actions for ${dashboard.owner.email}` }).click();
    for (const item of await page.getByRole('menuitem').all())
      expect(await item.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a member' }).click();
    dashboard.expectProblem(/status of 404 .*\/members$/);
    await dialog.getByLabel('Email address').fill('nobody@example.net');
    await dialog.getByRole('button', { name: 'Add a member' }).click();
    const field = dialog.getByRole('textbox', { name: 'Email address' });
    await field.and(page.locator(':focus')).and(page.locator('[aria-invalid=true]')).waitFor();
    await field.fill(newOwner.email);
    await dialog.getByRole('button', { name: 'Add a member' }).click();
    await rowOf(page, newOwner.email).getByText('Member', { exact: true }).waitFor();
    await choose(page, newOwner.email, 'Change role');
    await dialog.getByRole('radio', { name: /Owner/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, newOwner.email).getByText('Owner', { exact: true }).waitFor();

    await navigation.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Leave the organization' }).click();
    await confirm(page, 'Leave the organization');
    await page.getByText('You have left Holdings').first().waitFor();
    await page
      .getByRole('table', { name: 'Organizations' })
      .getByText('Holdings')
      .waitFor({ state: 'detached' });

    const theirs = await dashboard.open('/organizations', newOwner);
    await theirs.getByRole('link', { name: 'Holdings' }).click();
    await theirs.getByRole('link', { name: 'Settings' }).click();
    await theirs.getByRole('button', { name: 'Delete organization' }).click();
    const typed = theirs.getByRole('alertdialog');
    await typed.getByRole('textbox').fill('Holding');
    await typed.getByRole('button', { name: 'Delete organization' }).click();
    await typed.locator('input[aria-invalid=true]').waitFor();
    await typed.getByRole('textbox').fill('Holdings');
    await typed.getByRole('button', { name: 'Delete organization' }).click();
    await theirs.getByText('Deleted Holdings').first().waitFor();
    expect((await newOwner.session.get('/v2/organizations')).body.items).toEqual([]);
  });

  it('has projects whose region changes and which move out, and members who are removed', async () => {
    const spare = (await dashboard.owner.session.post('/v2/projects', { name: 'Spare' })).body.id as string;
    await addOrganizationProject(dashboard.server, organization, spare);
    const person = await addOrganizationMember(dashboard.server, organization, 'member');
    const page = await dashboard.open(pathOf('projects'));
    const dialog = page.getByRole('dialog');
    const question = page.getByRole('alertdialog');
    await rowOf(page, 'Spare').getByText('United States').waitFor();
    await choose(page, 'Spare', 'Change region');
    await dialog.getByText('Does not move any data.').waitFor();
    await dialog.getByLabel('Region').selectOption({ label: 'European Union' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Spare').getByText('European Union').waitFor();
    await check(page, 'organization-projects-regions');
    await choose(page, 'Spare', 'Move out');
    await confirm(page, 'Move out');
    await rowOf(page, 'Spare').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Members' }).click();
    await choose(page, person.email, 'Remove from the organization');
    await question.getByText(`${person.email} loses access`, { exact: false }).waitFor();
    await confirm(page, 'Remove from the organization');
    await rowOf(page, person.email).waitFor({ state: 'detached' });
    expect((await person.session.get(organization.path)).status).toBe(404);
  });

  it('keeps a custom role in its project while it is in use; its deletion makes viewers', async () => {
    const person = await inShop('viewer');
    const body = { name: 'Support', scopes: ['customer_information:customers:read'], project_id: shopId };
    const role = (await dashboard.owner.session.post(`${organization.path}/roles`, body)).body.id as string;
    const page = await dashboard.open(pathOf(`projects/${shopId}`));
    const dialog = page.getByRole('dialog');
    // The name of a person is in the button: those of a list differ.
    const change = `Change the role of ${person.email}`;
    expect(await dialogProblems(page, change)).toEqual([]);
    await page.getByRole('button', { name: change }).click();
    await dialog.getByLabel('Role').selectOption({ label: 'Support' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, person.email).getByText('Support').waitFor();

    await page.goto(dashboard.url + pathOf('mappings'));
    await page.getByRole('button', { name: 'New mapping' }).first().click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter the name of a group.').waitFor();
    await dialog.getByLabel('Group').fill('agents');
    await dialog.getByLabel('Project').selectOption({ label: 'Shop' });
    await dialog.getByLabel('Role').selectOption({ label: 'Support' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'agents').waitFor();

    dashboard.expectProblem(new RegExp(`status of 400 .*/roles/${role}`));
    await page.goto(dashboard.url + pathOf(`roles/${role}`));
    await page.getByRole('button', { name: 'Show who holds it' }).click();
    await page.getByRole('table', { name: 'Who holds it' }).getByText(person.email).waitFor();
    await page.getByLabel('Holds in').selectOption({ label: 'Every project' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The role is in use', { exact: false }).waitFor();
    await page.getByLabel('Holds in').and(page.locator('[aria-invalid=true]')).waitFor();
    await check(page, 'organization-role-in-use');
    await page.getByRole('button', { name: 'Delete role' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('One person becomes Viewer', { exact: false }).waitFor();
    await confirm(page, 'Delete role');
    await page.getByText('Deleted Support').first().waitFor();
    await page.goto(dashboard.url + pathOf(`projects/${shopId}`));
    await rowOf(page, person.email).getByText('Viewer').waitFor();
    await page.getByRole('link', { name: 'Group mappings' }).click();
    await page.getByText('Let the groups of your identity provider decide', { exact: false }).waitFor();
  });

  it('loses a group mapping that is deleted', async () => {
    const mapping = { group: 'engineers', project_id: shopId, role: 'developer' };
    await dashboard.owner.session.post(`${organization.path}/role_mappings`, mapping);
    const page = await dashboard.open(pathOf('mappings'));
    await page.getByRole('button', { name: 'Delete the mapping of engineers in Shop' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Members of engineers who are Developer in Shop', { exact: false }).waitFor();
    await confirm(page, 'Delete');
    await rowOf(page, 'engineers').waitFor({ state: 'detached' });
    expect((await dashboard.owner.session.get(`${organization.path}/role_mappings`)).body.items).toEqual([]);
  });

  it('proves a domain by the record that the name servers have, and says what is wrong with it', async () => {
    const page = await dashboard.open(pathOf('sso'));
    await page.getByLabel('Domain', { exact: true }).fill('gmail.com');
    dashboard.expectProblem(/status of 400 .*\/sso\/domains$/);
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Domain', { exact: true }).fill('Shop.Example.org.');
    await page.getByRole('button', { name: 'Add domain' }).click();
    const domain = page.getByRole('listitem').filter({ hasText: 'shop.example.org' });
    const value = await domain.getByText(/-verification=[0-9a-f]{32}$/).innerText();
    const name = await domain.getByText(/^_.*\.shop\.example\.org$/).innerText();
    const checkNow = domain.getByRole('button', { name: 'Check now: shop.example.org' });
    await checkNow.click();
    await domain.getByText('There is no TXT record of that name.', { exact: false }).waitFor();
    names.records.set(name, [['v=spf1 -all'], ['verification=other']]);
    await checkNow.click();
    await domain.getByText('but with another value', { exact: false }).waitFor();
    await domain.getByText('verification=other').waitFor();
    await check(page, 'sso-domain-wrong');
    names.code = 2;
    await checkNow.click();
    await domain.getByText('The name servers did not answer.', { exact: false }).waitFor();
    names.code = 0;
    // Long values are sent in several strings.
    names.records.set(name, [[value.slice(0, 20), value.slice(20)]]);
    await checkNow.click();
    await domain.getByText('Verified', { exact: true }).waitFor();
    expect(await checkNow.count()).toBe(0);
    await page.getByText('shop.example.org is verified').first().waitFor();

    await domain.getByRole('button', { name: 'Remove shop.example.org' }).click();
    await confirm(page, 'Remove');
    await domain.waitFor({ state: 'detached' });
  });

  it('signs in by OpenID Connect: what is wrong stands at the field, and the test names the failed check', async () => {
    await verifyDomain(dashboard.server, organization, DOMAIN);
    const email = `ada@${DOMAIN}`;
    const { clock } = dashboard.server;
    const { protocol, host } = new URL(dashboard.url);
    provider.redirect = (url) => {
      // The page looks for sign-ins from now on, by the time of the browser.
      clock.advanceMs(Date.now() - clock.nowMs());
      Object.assign(url, { protocol, host });
    };
    const claims = { sub: 'ada', email, email_verified: true };
    provider.token = (payload) => Object.assign(payload, claims, { nonce: 'of another sign-in' });

    const page = await dashboard.open(pathOf('sso'));
    await page.getByRole('button', { name: 'New connection' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /OpenID Connect/ }).check();
    await dialog.getByLabel('Name').fill('Keycloak');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Keycloak' }).waitFor();
    await page.getByText(/\/sso\/oidc\/.*\/callback$/).waitFor();

    dashboard.expectProblem(/status of 400 .*\/sso\/connections\//);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    // It is incomplete, so it cannot be turned on yet.
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('oidc.issuer', { exact: false }).waitFor();
    const issuer = page.getByLabel('Issuer');
    await issuer.fill(`${provider.issuer}/?realm=acme`);
    await save.click();
    await issuer.and(page.locator(':focus')).and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await page.getByText('oidc.issuer must not have a query or a fragment.').count()).toBe(1);
    await check(page, 'sso-oidc-issuer');
    await issuer.fill(provider.issuer);
    await page.getByLabel('Client id').fill('tenure');
    await page.getByLabel('Client secret', { exact: true }).fill('secret of the client');
    await save.click();
    await page.getByText('A secret is saved and not shown again. Leave empty to keep it.').waitFor();
    expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toBe('');
    expect(await page.content()).not.toContain('secret of the client');
    await page.getByRole('button', { name: 'Turn on' }).click();
    const start = await page.getByText(/\/sso\/connections\/.*\/start$/).innerText();

    const visitor = await dashboard.newPage(null);
    const watch = page.getByRole('button', { name: 'I will open it elsewhere' });
    await watch.click();
    await visitor.goto(here(start));
    await visitor.getByText('Single sign-on did not work.').waitFor();
    await page.getByText('nonce', { exact: true }).waitFor();
    await page.getByText('The provider’s token is for another sign-in.', { exact: false }).waitFor();
    await check(page, 'sso-oidc-failed');
    provider.token = (payload) => Object.assign(payload, claims);
    await watch.click();
    await visitor.goto(here(start));
    await page.getByText(`It works: ${email} has signed in.`).waitFor();
    await check(page, 'sso-oidc');
  });

  it('leads people from a project to required single sign-on; neither connection nor domain can go then', async () => {
    const person = await inShop('developer');
    await dashboard.server.dataSource.query(`UPDATE users SET email = $1 WHERE email = $2`, [
      `grace@${DOMAIN}`,
      person.email,
    ]);
    await enforceSso(dashboard.server, organization);
    dashboard.expectProblem(new RegExp(`status of 403 .*/v2/projects/${shopId}/`));
    const asked = `/projects/${shopId}/catalog/products?state=all`;
    const theirs = await dashboard.open(asked, person);
    const link = theirs.getByRole('link', { name: 'Sign in with single sign-on' });
    const query = new URLSearchParams({ email: `grace@${DOMAIN}`, next: asked });
    expect(await link.getAttribute('href')).toBe(`/sso/start?${query.toString()}`);
    await check(theirs, 'project-sso-required');
    // A page whose own call is the first that is refused.
    await theirs.goto(`${dashboard.url}/projects/${shopId}/catalog/products?env=both`);
    await link.waitFor();
    // The person's own project is no part of the organization.
    await theirs.goto(`${dashboard.url}/projects/${person.projectId}/overview`);
    await theirs.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    dashboard.expectProblem(/status of 422 .*\/sso\//);
    const page = await dashboard.open(pathOf('sso'));
    const question = page.getByRole('alertdialog');
    await page.getByRole('button', { name: `Remove ${DOMAIN}` }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.getByText('this is the last verified domain', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Keycloak' }).click();
    await page.getByRole('button', { name: 'Delete connection' }).click();
    await question.getByRole('button', { name: 'Delete connection' }).click();
    await question.getByText('this is the last enabled connection', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Allow passwords again' }).click();
    await confirm(page, 'Allow passwords again');
    await page.getByText('Single sign-on is not required', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete connection' }).click();
    await confirm(page, 'Delete connection');
    await page.getByText('Deleted Keycloak').first().waitFor();
    await page.getByText('Connect your identity provider', { exact: false }).waitFor();
    await theirs.goto(dashboard.url + asked);
    await theirs.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
  });

  it('filters its audit log, keeps the filters in the address, and saves it', async () => {
    const person = await addOrganizationMember(dashboard.server, organization, 'member');
    const member = `${organization.path}/members/${person.userId}`;
    await dashboard.owner.session.post(member, { role: 'admin' });
    await dashboard.owner.session.delete(member);
    const page = await dashboard.open(pathOf('audit'));
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await page.getByLabel('Action').selectOption({ label: 'Member role changed' });
    await page.waitForURL(/action=member_role_changed/);
    await rowOf(page, person.userId).getByText('Member role changed').waitFor();
    await page.getByLabel('Person or object').fill(person.userId);
    await page.getByLabel('Person or object').press('Enter');
    await page.waitForURL(/actor=/);
    await page.reload();
    await rowOf(page, person.userId).waitFor();
    // The header is a row, too.
    expect(await rows.count()).toBe(2);
    await rowOf(page, person.userId).click();
    const changes = page.getByRole('table', { name: 'Changes' });
    expect(await changes.getByRole('row').last().innerText()).toBe('role\tmember\tadmin');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Action').selectOption({ label: 'Any action' });
    await rowOf(page, 'Member removed').waitFor();
    expect(await rows.count()).toBe(3);

    const tomorrow = new Date(dashboard.server.clock.nowMs() + DAY_MS).toISOString().slice(0, 10);
    await page.getByLabel('From').fill(tomorrow);
    await page.getByText('No entries match', { exact: false }).waitFor();
    await check(page, 'organization-audit-none');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await rowOf(page, 'Organization created').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const [header, ...lines] = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(header).toContain('Time (UTC),Action,');
    expect(lines.filter((line) => line.includes('member_removed'))).toHaveLength(2);
  });

  it('exports what an auditor checks with OpenSSL by the command of the page', async () => {
    const page = await dashboard.open(pathOf('exports'));
    await page.getByRole('radio', { name: /Access review/ }).check();
    expect(await page.getByLabel('From').count()).toBe(0);
    await page.getByLabel('Format').selectOption({ label: 'JSON' });
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('access-review.json');
    const commands = await page.getByText(/openssl pkeyutl -verify/).innerText();
    const folder = mkdtempSync(join(tmpdir(), 'export-'));
    try {
      const content = readFileSync(await file.path());
      expect(JSON.parse(content.toString())).toBeDefined();
      const verify = (): string =>
        execFileSync('sh', ['-ec', commands], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
      writeFileSync(join(folder, 'access-review.json'), content);
      expect(verify()).toMatch(/Success/);
      writeFileSync(join(folder, 'access-review.json'), `${content.toString()} `);
      expect(verify).toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says what its licence lacks, when it has expired, and when it ends', async () => {
    const { clock } = dashboard.server;
    const page = await dashboard.open(pathOf('scim'));
    await page.getByText('The licence of this server does not include it.').waitFor();
    await check(page, 'organization-not-licensed');
    await page.getByRole('link', { name: 'See the licence' }).click();
    await page.getByText('Licensed', { exact: true }).waitFor();
    await page.getByText('Acme GmbH').waitFor();
    const facts = page.getByRole('region', { name: 'Features' });
    expect(await facts.getByText('Not included').count()).toBe(1);
    await check(page, 'licence-valid');

    clock.advanceMs(EXPIRES_IN_DAYS * DAY_MS);
    await page.reload();
    await page.getByText('Expired, still in use', { exact: true }).waitFor();
    await page.getByText('Renew it within 14 days of that.', { exact: false }).waitFor();
    await check(page, 'licence-grace');
    await page.goto(dashboard.url + pathOf('members'));
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();

    dashboard.expectProblem(/status of 403 .*\/v2\/organizations/);
    clock.advanceMs(14 * DAY_MS);
    await page.goto(`${dashboard.url}/organizations/licence`);
    await page.getByText('Not valid', { exact: true }).waitFor();
    await page.getByText('The licence expired on', { exact: false }).waitFor();
    expect(await facts.getByText('Not included').count()).toBe(features.length);
    await check(page, 'licence-expired');
    await page.goto(dashboard.url + pathOf('members'));
    await page.getByRole('link', { name: 'See the licence' }).waitFor();
    await check(page, 'organization-unlicensed');
  });
});
