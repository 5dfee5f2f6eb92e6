import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { renderMail } from '../../src/platform/mail/mail-template.js';
import type { MailContent } from '../../src/platform/mail/mail.js';
import { emailChangeMail } from '../../src/workspace/accounts/email/email-change.mail.js';
import { emailChangeNoticeMail } from '../../src/workspace/accounts/email/email-change-notice.mail.js';
import { emailVerificationMail } from '../../src/workspace/accounts/email/email-verification.mail.js';
import { passwordChangedMail } from '../../src/workspace/accounts/passwords/password-changed.mail.js';
import { memberAddedMail } from '../../src/enterprise/organizations/member-added.mail.js';
import { passwordResetMail } from '../../src/workspace/accounts/passwords/password-reset.mail.js';
import { alertMail } from '../../src/workspace/alerts/alert.mail.js';
import type { AlertCause } from '../../src/workspace/alerts/project-alert.js';
import { digestMail } from '../../src/insights/digests/digest.mail.js';
import { redemptionLinkMail } from '../../src/redemption/links/redemption-link.mail.js';
import { inviteMail } from '../../src/workspace/members/invites/invite.mail.js';

const SOURCES = join(import.meta.dirname, '../../src');
const URL_OF_ACTION = 'https://tenure.example/page?a=1&b=2#token=3';
/** What people may call themselves, their projects and webhooks. */
const NAME = `<img src="x"> & 'Söhne'\r\nBcc: eve@example.com`;
const TIME = new Date(Date.UTC(2026, 0, 2, 3, 4));

const causes: AlertCause[] = [
  'webhook_failing',
  'destination_failing',
  'credentials_refused',
  'notifications_silent',
  'experiment_warning',
  'export_failing',
  'export_destination_added',
];

function alertOf(cause: AlertCause, news: 'problem' | 'recovery', resolvedAt: Date | null): MailContent {
  const details = { name: NAME, store: 'app_store' as const, message: NAME, lastHeardAtMs: TIME.getTime() };
  return alertMail({
    news,
    alert: { projectId: 'proj1', cause, subjectId: 'app1', details, openedAt: TIME, resolvedAt },
    projectName: NAME,
    baseUrl: 'https://tenure.example',
    oneClickUnsubscribeUrl: URL_OF_ACTION,
  });
}

/** Every mail of the product, by the function that makes it. */
const mails: Record<string, Record<string, () => MailContent>> = {
  passwordResetMail: { 'with its link': () => passwordResetMail(URL_OF_ACTION) },
  passwordChangedMail: { 'with a way back': () => passwordChangedMail(URL_OF_ACTION) },
  emailVerificationMail: { 'with its link': () => emailVerificationMail(URL_OF_ACTION) },
  emailChangeMail: { 'with its link': () => emailChangeMail(URL_OF_ACTION) },
  emailChangeNoticeMail: { 'of the old address': () => emailChangeNoticeMail(NAME, URL_OF_ACTION) },
  alertMail: Object.fromEntries(
    causes.flatMap((cause) => [
      [`${cause}, problem`, () => alertOf(cause, 'problem', null)],
      [`${cause}, recovery`, () => alertOf(cause, 'recovery', TIME)],
    ]),
  ),
  digestMail: {
    'of a day': () =>
      digestMail({
        text: { heading: `${NAME}, Friday 2 January 2026`, lines: ['Revenue: $9.99 (was $0.00)', NAME] },
        digestName: NAME,
        projectName: NAME,
        overviewUrl: URL_OF_ACTION,
        unsubscribeUrl: 'https://tenure.example/stop-digest#token=v1.4',
        oneClickUnsubscribeUrl: 'https://tenure.example/auth/digests/unsubscribe?token=v1.4',
      }),
  },
  redemptionLinkMail: Object.fromEntries(
    [90, 120, 2880].map((minutes) => [
      `of ${minutes} minutes`,
      () =>
        redemptionLinkMail({ appName: NAME, url: URL_OF_ACTION, minutes, supportEmail: 'help@example.com' }),
    ]),
  ),
  inviteMail: {
    'of a person with a name': () =>
      inviteMail({
        sender: { name: NAME, email: 'ada@example.com', projectName: NAME },
        role: 'admin',
        url: URL_OF_ACTION,
        expiresAt: TIME,
      }),
    'of a person without a name': () =>
      inviteMail({
        sender: { name: null, email: 'ada@example.com', projectName: NAME },
        role: 'viewer',
        url: URL_OF_ACTION,
        expiresAt: TIME,
      }),
  },
  memberAddedMail: Object.fromEntries(
    [NAME, null].map((name) => [
      name === null ? 'by a person without a name' : 'by a person with a name',
      () =>
        memberAddedMail({
          organization: NAME,
          role: 'member',
          by: { name, email: 'ada@example.com' },
          baseUrl: 'https://tenure.example',
        }),
    ]),
  ),
};

/** Names of the functions that `*.mail.ts` files export. */
async function mailFunctions(): Promise<string[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mail.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(join(SOURCES, file)) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) =>
    Object.keys(module).filter((name) => typeof module[name] === 'function'),
  );
}

const table = Object.entries(mails).flatMap(([name, cases]) =>
  Object.entries(cases).map(([what, contentOf]): [string, string, MailContent] => [name, what, contentOf()]),
);

describe('the mails of the product', () => {
  it('lists all of them in this table', async () => {
    expect(Object.keys(mails).sort()).toEqual((await mailFunctions()).sort());
  });

  it.each(table)('%s, %s: says why it came, and what to do', (_name, _what, content) => {
    expect(content.reason).toMatch(/^You get this mail because .+\.$/s);
    expect(content.subject.length).toBeGreaterThan(5);
    expect(content.paragraphs.length).toBeGreaterThan(0);
    const { subject, text, html } = renderMail(content);
    expect(subject).not.toMatch(/[\r\n]/);
    const { action, unsubscribeUrl } = content;
    const links = [action?.url, unsubscribeUrl].filter((url) => url !== undefined);
    expect(text.match(/https?:\/\/\S+/g) ?? []).toEqual(links);
    const targets = [...html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
    expect(targets).toEqual([action?.url, ...links].filter((url) => url !== undefined));
  });

  it.each(table)('%s, %s: shows names as they are, and loads nothing', (_name, _what, content) => {
    const { text, html } = renderMail(content);
    expect(html).not.toMatch(/<img|src="/);
    expect(text).not.toMatch(/^Bcc/m);
    expect(JSON.stringify(content)).not.toMatch(/undefined|\[object|NaN|Invalid Date/);
  });
});
