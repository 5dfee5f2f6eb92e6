import { sdkHeaders } from '../../support/sdk-requests.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';

describe('the set-up of a project with an app and a catalog', () => {
  const dashboard = useDashboard();

  it('sees the SDK call and its purchase come, and helps when nothing comes', async () => {
    const page = await dashboard.open(dashboard.path('setup'));
    await page.getByText('4 products, 1 entitlement').waitFor();
    await page.getByRole('button', { name: 'Nothing arrives?' }).click();
    const causes = page.getByRole('region', { name: 'Usual causes' });
    await causes.getByText('means the device itself').waitFor();
    await causes.getByText(dashboard.store.publicKey).waitFor();
    await expectAccessible(page);

    const sdk = dashboard.store.sdk.with(sdkHeaders.iOS);
    expect((await sdk.get('/v1/subscribers/ada')).status).toBe(201);
    await page.getByText(/SDK 5\.86\.0 on iOS called/).waitFor();
    const receipt = { app_user_id: 'ada', product_id: 'pro_yearly', fetch_token: `test_${Date.now()}_1` };
    expect((await sdk.post('/v1/receipts', receipt)).status).toBe(200);
    await page.getByRole('status').getByText('First purchase received: pro_yearly by ada').waitFor();
  });

  it('lists what is wrong, each with the page that mends it', async () => {
    const { session, projectId } = dashboard.owner;
    const app = await session.post(`/v2/projects/${projectId}/apps`, {
      name: 'Acme <b>Android</b>',
      type: 'play_store',
      play_store: { package_name: 'com.example.acme' },
    });
    expect(app.status).toBe(201);
    const page = await dashboard.open(dashboard.path('overview'));
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('Store credentials are missing').waitFor();
    await expectAccessible(page);
    await attention.getByRole('link', { name: 'Set-up health' }).click();
    const health = page.getByRole('region', { name: 'Set-up health' });
    await health.getByRole('link', { name: 'Open the app for Acme <b>Android</b>' }).click();
    await page.waitForURL(new RegExp(`/apps/${app.body.id}$`));
  });
});
