import { setting } from './setting.js';
import { boolean, callableUrl, integer, mailAddress, oneOf, smtpUrl, token } from './setting-values.js';

/** Sign-up and mail settings. */
export const accountSettings = {
  edition: setting({
    variable: 'SERVICE_EDITION',
    description:
      '`cloud` applies the rules of a hosted service: email addresses are confirmed before their owners invite ' +
      'people, and identity providers must have public https addresses (docs/accounts.md).',
    default: 'self-hosted',
    parse: oneOf('self-hosted', 'cloud'),
  }),
  allowSignup: setting({
    variable: 'SERVICE_ALLOW_SIGNUP',
    description:
      'Let anyone create an account. Otherwise only the first account can be created, with the setup token, ' +
      'and people who are invited to a project.',
    default: false,
    parse: boolean,
  }),
  setupToken: setting<string | null>({
    variable: 'SERVICE_SETUP_TOKEN',
    description:
      'Token (`setup_token`, docs/security.md) for creating the first account from another machine; 16 to 200 ' +
      'characters.',
    secret: true,
    default: null,
    defaultNote: 'derived from the encryption key and printed at start',
    parse: token,
  }),
  smtpUrl: setting<string | null>({
    variable: 'SERVICE_SMTP_URL',
    description:
      'Mail server: `smtp://user:password@host:port` (STARTTLS if offered) or `smtps://` (TLS). If unset, mails ' +
      'are written to the log, links included.',
    secret: true,
    default: null,
    parse: smtpUrl,
  }),
  mailFrom: setting<string | null>({
    variable: 'SERVICE_MAIL_FROM',
    description:
      'Sender of mails: `you@example.com` or `Name <you@example.com>`. Required with `SERVICE_SMTP_URL`.',
    default: null,
    defaultNote: 'none',
    parse: mailAddress,
  }),
  mailReplyTo: setting<string | null>({
    variable: 'SERVICE_MAIL_REPLY_TO',
    description: 'Address for replies to mails.',
    default: null,
    defaultNote: '`SERVICE_MAIL_FROM`',
    parse: mailAddress,
  }),
  oauthDocuments: setting({
    variable: 'SERVICE_OAUTH_CIMD',
    description:
      'Let OAuth clients be identified by the address of a document that the server fetches (Client ID Metadata ' +
      'Documents, docs/oauth.md). Otherwise each client registers itself first.',
    default: true,
    parse: boolean,
  }),
  oauthDocumentsAllowLocal: setting({
    variable: 'SERVICE_OAUTH_CIMD_ALLOW_LOCAL',
    description:
      'Also fetch such documents by plain http and from private and loopback addresses. Only for tests; not in ' +
      'production.',
    default: false,
    parse: boolean,
  }),
  refreshRepeatSeconds: setting({
    variable: 'SERVICE_REFRESH_REPEAT_SECONDS',
    description:
      'How long a replaced refresh token (customer sign-in, OAuth) gets the same successor again, so that a lost ' +
      'answer or two requests at once end no session; 0 to 300. With 0, every replaced token ends its session.',
    default: 60,
    parse: integer(0, 300),
  }),
  firebaseKeysUrl: setting<string | null>({
    variable: 'SERVICE_FIREBASE_JWKS_URL',
    description: 'Keys (JWKS) of Firebase ID tokens. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Google's own",
    parse: callableUrl,
  }),
};
