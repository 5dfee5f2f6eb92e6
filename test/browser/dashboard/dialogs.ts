import type { Page } from 'playwright-core';
import type { SignedUp } from '../../support/arrange.js';
import type { TestStore } from '../../support/arrange-store.js';
import type { KnownObjects } from '../../support/known-objects.js';
import { axeFindings } from './accessibility.js';

const PROJECT = '/projects/$projectId';
const ORGANIZATION = '/organizations/$orgId';

export interface PageWithDialogs {
  /** As in the router, with a search where a tab or a customer has dialogs of its own. */
  path: string;
  /** Names of buttons, or of a menu's button and an item in it: `Actions > Delete`. */
  openers: string[];
}

/** Buttons that open dialogs, by page. */
const openersBy = (member: string): Record<string, string[]> => ({
  '/account': ['Change the address', 'Delete your account'],
  '/account?tab=security': ['Turn on'],
  '/account?tab=sessions': ['Sign out other sessions'],
  [`${PROJECT}/overview`]: [
    'Search customers, orders, pages Ctrl K',
    'Show the API calls of this page',
    'Help > Keyboard shortcuts',
    'View daily values: Revenue',
  ],
  [`${PROJECT}/catalog/products`]: [
    'New product',
    'Actions for pro_monthly > Archive',
    'Actions for pro_monthly > Delete',
  ],
  [`${PROJECT}/catalog/products/$productId`]: [
    'Edit',
    'Actions > Archive',
    'Actions > Delete',
    'Add to package',
    'Detach $rc_monthly',
  ],
  [`${PROJECT}/catalog/entitlements`]: [
    'New entitlement',
    'Actions for pro > Archive',
    'Actions for pro > Delete',
  ],
  [`${PROJECT}/catalog/entitlements/$entitlementId`]: [
    'Rename',
    'Actions > Delete',
    'Attach product',
    'Detach pro_monthly',
  ],
  [`${PROJECT}/catalog/offerings`]: [
    'New offering',
    'Actions for default > Rename',
    'Actions for default > Delete',
  ],
  [`${PROJECT}/catalog/offerings/$offeringId`]: [
    'Actions > Rename',
    'Add package',
    'Detach pro_monthly',
    'Attach a product to $rc_monthly',
    'Delete the package $rc_monthly',
    'Edit metadata',
  ],
  [`${PROJECT}/catalog/offerings/$otherOfferingId`]: ['Actions > Make current', 'Actions > Archive'],
  [`${PROJECT}/catalog/currencies`]: [
    'New currency',
    'Actions for GLD > Edit',
    'Actions for GLD > Archive',
    'Actions for GLD > Delete',
  ],
  [`${PROJECT}/apps`]: ['New app'],
  [`${PROJECT}/apps/$appId`]: ['Actions > Rename', 'Actions > Delete app'],
  [`${PROJECT}/apps/$storeAppId?tab=store`]: ['Replace: Shared key', 'Remove: Shared key'],
  [`${PROJECT}/integrations/$destinationId`]: ['Replay', 'Pause'],
  [`${PROJECT}/integrations/$destinationId?tab=settings`]: ['Delete destination'],
  [`${PROJECT}/webhooks`]: ['Create webhook'],
  [`${PROJECT}/integrations/exports`]: ['Download data', 'New export'],
  [`${PROJECT}/integrations/sql-access`]: ['Create SQL user'],
  [`${PROJECT}/integrations/digests`]: ['Create digest'],
  [`${PROJECT}/integrations/digests/$digestId`]: ['Delete digest'],
  [`${PROJECT}/webhooks/$webhookId`]: ['Replay', 'Rotate secret', 'Pause'],
  [`${PROJECT}/webhooks/$webhookId?tab=settings`]: ['Delete webhook'],
  [`${PROJECT}/test/clocks`]: ['New test clock'],
  [`${PROJECT}/test/clocks/$clockId`]: ['Delete clock', 'Attach a customer'],
  [`${PROJECT}/customers`]: ['New customer'],
  [`${PROJECT}/customers?q=GPA.3312-4512-1100-55923`]: ['Restore by order id'],
  [`${PROJECT}/customer?id=ada`]: [
    'Actions > Restore by order id',
    'Actions > Transfer purchases',
    'Actions > Assign an offering',
    'Actions > Adjust a balance',
    'Actions > Block',
    'Actions > Delete customer',
    'Grant',
    'Refund',
    'Cancel',
    'Extend',
  ],
  [`${PROJECT}/customer?id=ada&tab=purchases`]: ['Refund'],
  [`${PROJECT}/customer?id=eve`]: ['Unblock', 'Revoke grant'],
  [`${PROJECT}/blocked`]: ['Block a customer'],
  [`${PROJECT}/refunds?tab=policies`]: ['Add policy', 'Actions for All others > Edit'],
  [`${PROJECT}/settings/general`]: ['Delete project'],
  [`${PROJECT}/settings/keys`]: ['New secret key', 'Revoke Test key'],
  [`${PROJECT}/settings/members`]: [
    'Invite people',
    `Actions for ${member} > Change role`,
    `Actions for ${member} > Remove from project`,
    'Revoke the invitation of grace@example.com',
  ],
  [`${PROJECT}/settings/sign-in`]: [
    'Add a provider',
    'Edit Firebase shop-4711 > Edit',
    'Edit Firebase shop-4711 > Test a token',
    'Edit Firebase shop-4711 > Delete',
  ],
  '/organizations': ['New organization'],
  [`${ORGANIZATION}/overview`]: ['Leave the organization'],
  [`${ORGANIZATION}/members`]: [
    'Add a member',
    `Actions for ${member} > Change role`,
    `Actions for ${member} > Remove from the organization`,
  ],
  [`${ORGANIZATION}/projects`]: [
    'Move a project in',
    'Actions for Shop > Change region',
    'Actions for Shop > Move out',
  ],
  [`${ORGANIZATION}/roles`]: ['New role'],
  [`${ORGANIZATION}/roles/$roleId`]: ['Delete role'],
  [`${ORGANIZATION}/mappings`]: ['New mapping', 'Delete the mapping of support-team in Shop'],
  [`${ORGANIZATION}/sso`]: ['New connection', 'Remove example.org'],
  [`${ORGANIZATION}/sso/$connectionId`]: ['Delete connection'],
  [`${ORGANIZATION}/scim`]: ['New token', 'Revoke Okta'],
});

/** Pages with dialogs, the objects of `arrangeKnownObjects` being there; adds what some of the dialogs need besides. */
export async function arrangeDialogs(
  { backend, path, entitlements }: TestStore,
  known: KnownObjects,
  member: SignedUp,
  nowMs: number,
): Promise<{ pages: PageWithDialogs[]; known: KnownObjects }> {
  const post = async (route: string, body: object): Promise<string> => {
    const answer = await backend.post(path + route, body);
    if (answer.status >= 300) throw new Error(`POST ${route} answered ${answer.status}: ${answer.text}`);
    return answer.body.id as string;
  };
  const app = await post('/apps', {
    name: 'Acme for Fire OS',
    type: 'amazon',
    amazon: { package_name: 'com.example.app', shared_secret: 'planted' },
  });
  const offering = await post('/offerings', { lookup_key: 'spring', display_name: 'Spring sale' });
  await post('/customers', { id: 'eve' });
  await post('/customers/eve/actions/grant_entitlement', {
    entitlement_id: entitlements.pro.id,
    expires_at: nowMs + 86_400_000,
  });
  await post('/blocked_customers', { app_user_id: 'eve' });
  return {
    pages: Object.entries(openersBy(member.email)).map(([route, openers]) => ({ path: route, openers })),
    known: { ...known, store_app_id: app, other_offering_id: offering },
  };
}

/**
 * Stays below the limit of other steps, so that a dialog that does not open is named before the scenario
 * ends.
 */
const SOON = { timeout: 30_000 };
const FOCUS_INSIDE = '[role$=dialog]:focus, [role$=dialog] :focus';

/** Opens a dialog by keyboard and closes it with Escape; gives what is wrong with it. */
export async function dialogProblems(page: Page, opener: string): Promise<string[]> {
  const [name = '', item] = opener.split(' > ');
  const found: string[] = [];
  const expectFocus = (selector: string, problem: string): Promise<void> =>
    page
      .locator(selector)
      .waitFor({ ...SOON, state: 'attached' })
      .catch(() => void found.push(problem));
  const button = page.getByRole('button', { name, exact: true }).first();
  await button.press('Enter', SOON);
  if (item !== undefined) {
    const entry = page.getByRole('menuitem', { name: item }).first();
    await entry.waitFor(SOON);
    // Moves on from the first entry, as a person does; it gets the focus a frame or two after the menu is
    // drawn.
    await page.locator('[role^=menuitem]:focus').waitFor(SOON);
    await entry.press('Enter', SOON);
  }
  const named = { name: /\S/ };
  const dialog = page.getByRole('dialog', named).or(page.getByRole('alertdialog', named));
  await dialog.waitFor(SOON);
  await dialog
    .locator('[aria-busy=true]')
    .first()
    .waitFor({ ...SOON, state: 'detached' });
  await expectFocus(FOCUS_INSIDE, 'the focus does not go in');
  found.push(...(await axeFindings(page)));
  for (const key of ['Shift+Tab', 'Tab', 'Tab']) {
    await page.keyboard.press(key);
    // At a person's pace: at the ends of the dialog the focus is passed on.
    await expectFocus(FOCUS_INSIDE, `${key} leads out`);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ ...SOON, state: 'detached' });
  await button
    .and(page.locator(':focus'))
    .waitFor(SOON)
    .catch(() => found.push('the focus does not come back'));
  return found;
}
