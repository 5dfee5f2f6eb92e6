import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { patientServer } from '../../support/patient-server.js';
import {
  addOrganizationMember,
  createOrganization,
  enforceSso,
  type TestOrganization,
  verifyDomain,
} from '../../support/arrange-enterprise.js';
import { PASSWORD, signUp } from '../../support/arrange.js';
import { idpMetadata, posted, type ResponseParts, samlIdp, signedResponse } from '../../support/saml-idp.js';
import { ScimClient } from '../../support/scim-client.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { settled, shoot } from './screenshots.js';

const DOMAIN = 'example.org';

describeInBrowser('organizations', () => {
  const dashboard = useDashboard({ begin: 'project', env: { SERVICE_EE_DEV: 'true' } });
  const providers: Server[] = [];
  let organization: TestOrganization;

  beforeAll(async () => {
    organization = await createOrganization(dashboard.server, { owner: dashboard.owner, name: 'Acme Group' });
  });

  afterAll(() => providers.forEach((provider) => provider.close()));

  const pathOf = (page: string, { id }: Pick<TestOrganization, 'id'> = organization): string =>
    `/organizations/${id}/${page}`;

  async function check(page: Page, name: string): Promise<void> {
    await settled(page);
    await expectAccessible(page);
    await shoot(page, name);
  }

  it('creates them from the switcher, adds projects and people, and shows where each role comes from', async () => {
    const colleague = await dashboard.member('viewer');
    const newcomer = await signUp(dashboard.server);
    const page = await dashboard.open(dashboard.path());
    await page.getByRole('button', { name: /switch project/ }).click();
    await page.getByRole('menuitem', { name: 'Organizations' }).click();
    await page.getByRole('link', { name: 'Acme Group' }).waitFor();
    await check(page, 'organizations');
    await page.getByRole('button', { name: 'New organization' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Holding <b>Ltd</b>');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Holding <b>Ltd</b>' }).waitFor();
    await check(page, 'organization-overview');

    const navigation = page.getByRole('navigation', { name: 'Organization' });
    await navigation.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('button', { name: 'Move a project in' }).first().click();
    await dialog.getByLabel('Project').selectOption({ label: 'Acme' });
    await dialog.getByRole('button', { name: 'Move a project in' }).click();
    await page.getByRole('link', { name: 'Acme' }).click();
    const row = page.getByRole('row').filter({ hasText: colleague.email });
    await row.getByText('Assigned manually').waitFor();
    const own = page.getByRole('row').filter({ hasText: dashboard.owner.email });
    await own.getByText('The role in the organization', { exact: true }).waitFor();
    await check(page, 'organization-project');
    await row.getByRole('button', { name: /^Change the role of/ }).click();
    await dialog.getByLabel('Role').selectOption('developer');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Developer').waitFor();

    await navigation.getByRole('link', { name: 'Members' }).click();
    await page.getByText(colleague.email).first().waitFor();
    await page.getByRole('button', { name: 'Add a member' }).click();
    await dialog.getByLabel('Email address').fill(newcomer.email);
    await dialog.getByRole('radio', { name: /Admin/ }).check();
    await dialog.getByRole('button', { name: 'Add a member' }).click();
    await page.getByRole('row').filter({ hasText: newcomer.email }).getByText('Admin').waitFor();
    await check(page, 'organization-members');

    await navigation.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Seats bought').fill('ten');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Enter a whole number, or leave it empty.').waitFor();
    await page.getByLabel('Seats bought').fill('10');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    const remove = page.getByRole('button', { name: 'Delete organization' });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await check(page, 'organization-settings');

    await navigation.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Action').selectOption({ label: 'Member added' });
    await page.getByRole('row').filter({ hasText: 'Member added' }).first().click();
    await page.getByRole('heading', { name: 'Member added' }).waitFor();
    await check(page, 'organization-audit');

    // The licence is one link away from the list.
    await page.goto(`${dashboard.url}/organizations/licence`);
    await page.getByText('Development', { exact: true }).waitFor();
    await check(page, 'licence');
  });

  it('assigns roles with chosen permissions, also through groups of the identity provider', async () => {
    const project = await dashboard.owner.session.post('/v2/projects', { name: 'Shop' });
    await dashboard.owner.session.post(`${organization.path}/projects`, { project_id: project.body.id });
    const page = await dashboard.open(pathOf('roles'));
    await page.getByRole('button', { name: 'New role' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Support');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Give the role at least one permission.').waitFor();
    await dialog
      .getByRole('combobox', { name: 'Customers', exact: true })
      .selectOption({ label: 'Read and write' });
    await dialog.getByRole('combobox', { name: 'Apps', exact: true }).selectOption({ label: 'Read' });
    await check(page, 'organization-role-create');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Customers', exact: true }).inputValue()).toBe(
      'read_write',
    );
    await page.getByRole('combobox', { name: 'Apps', exact: true }).selectOption({ label: 'No access' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor();
    await check(page, 'organization-role');
    const { body } = await dashboard.owner.session.get(`${organization.path}/roles`);
    expect(body.items).toMatchObject([
      {
        name: 'Support',
        scopes: ['customer_information:customers:read', 'customer_information:customers:read_write'],
      },
    ]);

    await page.getByRole('link', { name: 'Group mappings' }).click();
    await page.getByRole('button', { name: 'New mapping' }).first().click();
    await dialog.getByLabel('Group').fill('support-team');
    await dialog.getByLabel('Project').selectOption({ label: 'Shop' });
    await dialog.getByLabel('Role').selectOption({ label: 'Support' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No membership changed.').first().waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'support-team' })
      .getByText('Support', { exact: true })
      .waitFor();
    await check(page, 'organization-mappings');
  });

  it('sets single sign-on up, tries it, requires it, and people sign in by it', async () => {
    const { clock } = dashboard.server;
    const idp = samlIdp('idp.example');
    const email = `ada@${DOMAIN}`;
    let parts: Partial<ResponseParts> = { issuer: 'https://other.example' };
    let acsUrl = '';
    /** The server does not know the port that it listens at. */
    const here = (address: string): string => dashboard.url + new URL(address).pathname;
    // The provider signs everybody in at once, as the same person.
    const provider = createServer(patientServer, (request, response) => {
      const url = new URL(request.url ?? '/', idp.ssoUrl);
      clock.advanceMs(Date.now() - clock.nowMs());
      const sp = { acsUrl, spEntityId: acsUrl.replace(/acs$/, 'metadata') };
      const answer = signedResponse(idp, sp, {
        nowMs: clock.nowMs(),
        inResponseTo: requestIdIn(url),
        nameId: email,
        ...parts,
      });
      response.setHeader('content-type', 'text/html');
      response.end(postingPage(here(acsUrl), posted(answer), url));
    });
    providers.push(provider);
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const localUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/sso`;

    const page = await dashboard.open(pathOf('sso'));
    await page.getByRole('button', { name: 'New connection' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Test provider');
    await check(page, 'sso-create');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Test provider' }).waitFor();
    acsUrl = await page.getByText(/\/sso\/saml\/.*\/acs$/).innerText();
    const startUrl = acsUrl.replace(/\/saml\/([^/]+)\/acs$/, '/connections/$1/start');
    const metadata = Buffer.from(idpMetadata(idp));
    await page
      .getByLabel('Metadata file')
      .setInputFiles({ name: 'metadata.xml', mimeType: 'text/xml', buffer: metadata });
    await page.getByText('Read metadata.xml').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    // The metadata has filled the fields.
    await page.locator(`input[value="${idp.entityId}"]`).waitFor();
    // Only https is accepted; the provider of this test has no certificate.
    await dashboard.server.dataSource.query(
      `UPDATE sso_connections SET settings = jsonb_set(settings::jsonb, '{idpSsoUrl}', to_jsonb($1::text))`,
      [localUrl],
    );
    await page.getByLabel('Domain', { exact: true }).fill(DOMAIN);
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText(new RegExp(`^_.*\\.${DOMAIN}$`)).waitFor();
    await check(page, 'sso-connection');
    await verifyDomain(dashboard.server, organization, DOMAIN);
    await page.reload();
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText(startUrl).waitFor();

    // Uses another browser profile, so this session stays open.
    const visitor = await dashboard.newPage(null);
    const watch = page.getByRole('button', { name: 'I will open it elsewhere' });
    await watch.click();
    await visitor.goto(here(startUrl));
    await visitor.getByText('Single sign-on did not work.').waitFor();
    await page.getByText('The response names another issuer.').waitFor();
    await check(page, 'sso-failed');
    parts = {};
    await watch.click();
    await visitor.goto(here(startUrl));
    await page.getByText(`It works: ${email} has signed in.`).waitFor();
    await check(page, 'sso-works');

    // From the sign-in page, by the address alone.
    const person = await dashboard.newPage(null);
    await person.goto(`${dashboard.url}/login?next=${pathOf('overview')}`);
    await person.getByLabel('Email address').fill(email);
    await person.getByLabel('Email address').blur();
    await person.getByText('Your organization signs in with single sign-on.').waitFor();
    await check(person, 'login-sso');
    await person.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await person.getByRole('heading', { level: 1, name: 'Acme Group' }).waitFor();
    // A member sees the overview, and why there is no more.
    await person.goto(dashboard.url + pathOf('members'));
    await person.getByRole('heading', { name: 'You cannot see this page' }).waitFor();

    const colleague = await signUp(dashboard.server, { email: `grace@${DOMAIN}` });
    await addOrganizationMember(dashboard.server, organization, 'member', { person: colleague });
    await page.getByRole('button', { name: 'Require single sign-on' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('2 members must sign in with single sign-on from now on.').waitFor();
    await check(page, 'sso-enforce');
    await question.getByRole('button', { name: 'Require single sign-on' }).click();
    await page.getByText('Single sign-on is required', { exact: true }).waitFor();

    // A session that began with a password is led to single sign-on.
    dashboard.expectProblem(/status of 403 .*\/v2\/organizations\//);
    const outsider = await dashboard.open(pathOf('overview'), colleague);
    const link = outsider.getByRole('link', { name: 'Sign in with single sign-on' });
    expect(await link.getAttribute('href')).toBe(
      `/sso/start?${new URLSearchParams({ email: colleague.email, next: pathOf('overview') }).toString()}`,
    );
    await check(outsider, 'sso-required');

    // A password is refused, and the page shows the other way.
    dashboard.expectProblem(/status of 403 .*\/auth\/login$/);
    const latecomer = await dashboard.newPage(null);
    await latecomer.goto(`${dashboard.url}/login`);
    await latecomer.getByLabel('Email address').fill(colleague.email);
    await latecomer.getByLabel('Email address').blur();
    await latecomer.getByRole('button', { name: 'Use a password' }).click();
    await latecomer.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await latecomer.getByRole('button', { name: 'Sign in' }).click();
    await latecomer.getByText('Your organization requires single sign-on.').waitFor();
    await enforceSso(dashboard.server, organization, false);
  });

  it('provisions people: a deactivated person is logged out of an open dashboard', async () => {
    dashboard.expectProblem(/status of 401 /);
    await verifyDomain(dashboard.server, organization, DOMAIN);
    const page = await dashboard.open(pathOf('scim'));
    await page.getByRole('button', { name: 'New token' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Okta');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const token = await dialog.getByRole('region', { name: 'Token' }).innerText();
    expect(token).toMatch(/^rdscim_[0-9a-f]{64}$/);
    await check(page, 'scim-token');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: 'Okta' }).waitFor();
    expect(await page.content()).not.toContain(token);

    const scim = new ScimClient(dashboard.url, token);
    const person = await signUp(dashboard.server, { email: `eve@${DOMAIN}` });
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    const user = await scim.send('POST', '/scim/v2/Users', { schemas, userName: person.email, active: true });
    expect(user.status).toBe(201);
    const group = await scim.send('POST', '/scim/v2/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Support',
      members: [{ value: user.body.id }],
    });
    expect(group.status).toBe(201);
    await page.reload();
    await page.getByRole('table', { name: 'Groups' }).getByText('Support').waitFor();
    await page.getByText('SCIM user created').waitFor();
    await check(page, 'scim');

    const open = await dashboard.open(pathOf('overview'), person);
    await open.getByRole('heading', { level: 1, name: 'Acme Group' }).waitFor();
    await scim.send('PATCH', `/scim/v2/Users/${user.body.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', value: { active: false } }],
    });
    // The next call of the page, whatever it is, finds the session ended.
    await open.keyboard.press('r');
    await open.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.getByRole('button', { name: 'Revoke Okta' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await scim.send('GET', '/scim/v2/Users')).status).toBe(401);
  });

  it('exports a file for auditors whose hash and signature the browser has checked', async () => {
    const page = await dashboard.open(pathOf('exports'));
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('audit-log.csv');
    await page.getByText('The file is exactly what the server created').waitFor();
    await page.getByText(/^Valid, by the key of this server$|^This browser cannot check it here/).waitFor();
    const bytes = readFileSync(await file.path());
    await page.getByText(createHash('sha256').update(bytes).digest('hex')).waitFor();
    await page.getByText(/openssl pkeyutl -verify/).waitFor();
    await check(page, 'exports');
  });
});

/** Page of an identity provider: a form that submits itself. */
const postingPage = (action: string, response: string, { searchParams }: URL): string =>
  `<form method="post" action="${action}"><input name="SAMLResponse" value="${response}">` +
  `<input name="RelayState" value="${searchParams.get('RelayState') ?? ''}"></form>` +
  '<script>document.forms[0].submit()</script>';

function requestIdIn({ searchParams }: URL): string {
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return /ID="([^"]+)"/.exec(xml)?.[1] ?? '';
}
