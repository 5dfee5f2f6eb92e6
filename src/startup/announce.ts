import type { INestApplication } from '@nestjs/common';
import { setupTokenOf } from '../workspace/accounts/sign-up/setup-token.js';
import { SignUpService } from '../workspace/accounts/sign-up/sign-up.service.js';
import type { Config } from '../platform/config/config.js';
import { settings } from '../platform/config/config.schema.js';
import { DashboardFilesService } from '../dashboard/pages/dashboard-files.service.js';
import { DemoService } from '../test-store/demo/demo.service.js';

function demoCurl(baseUrl: string, publicKey: string): string {
  return [
    `curl -s -X POST ${baseUrl}/v1/receipts \\`,
    `  -H 'Authorization: Bearer ${publicKey}' -H 'Content-Type: application/json' \\`,
    `  -d '{"app_user_id":"demo-user","product_id":"pro_monthly","fetch_token":"test_'$(date +%s)000'_'$RANDOM'"}'`,
  ].join('\n');
}

/** Explains how to create the first account; empty if there is one. A configured token is not repeated. */
async function firstAccount(app: INestApplication, config: Config): Promise<string[]> {
  if ((await app.get(SignUpService, { strict: false }).state()) !== 'first_account') return [];
  const { baseUrl, setupToken } = config;
  const token = setupTokenOf(config);
  if (token === null) return [];
  if (setupToken !== null) {
    const { variable } = settings.setupToken;
    return [`Create the first account at ${baseUrl}/signup with the setup token in ${variable}`];
  }
  return [`Create the first account: ${baseUrl}/signup#setup=${token}`, `Setup token: ${token}`];
}

export async function announce(app: INestApplication, config: Config): Promise<void> {
  const publicKey = await app.get(DemoService, { strict: false }).publicKey();
  const hasDashboard = app.get(DashboardFilesService, { strict: false }).areServed;
  const lines = [
    '',
    `Tenure is ready at ${config.baseUrl}`,
    ...(hasDashboard ? [`Dashboard: ${config.baseUrl}`] : []),
    ...(config.apiDocs ? [`API documentation (Swagger UI): ${config.baseUrl}/docs`] : []),
    ...(await firstAccount(app, config)),
  ];
  if (publicKey !== null) {
    lines.push(
      `Demo public key: ${publicKey}`,
      '',
      'Buy a subscription and see the entitlement "pro":',
      '',
      demoCurl(config.baseUrl, publicKey),
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
