import type { RedemptionMode } from './redemption.queries.js';

export const text = {
  title: 'Web purchases',
  note: 'People who buy on the web get a link that gives the purchase to the app on their device. Make links on the page of a customer, or with the API.',
  links: 'Links',
  enabled: 'Links work for',
  modes: {
    off: { label: 'No purchases', hint: 'Apps are told that a link is not valid.' },
    sandbox: { label: 'Sandbox purchases', hint: 'To try it out.' },
    production: { label: 'All purchases', hint: 'Production and sandbox.' },
  } satisfies Record<RedemptionMode, { label: string; hint: string }>,
  scheme: 'URL scheme',
  schemeHint: (scheme: string | null) =>
    scheme === null
      ? 'The project has no app yet, so links need a scheme of your own.'
      : `Every app of the project must register it. Without one, links have ${scheme}.`,
  minutes: 'Minutes that a link works',
  minutesWrong: 'Enter a number from 5 to 10080.',
  page: 'Page and mails',
  appName: 'Name of the app',
  appNameHint: 'Without one, the name of the project.',
  appStore: 'Address in the App Store',
  playStore: 'Address on Google Play',
  support: 'Email address for questions',
  mailOnPurchase: 'Mail a link after a purchase',
  mailOnPurchaseHint: 'If the customer has an $email and no app has seen them yet.',
  mailOnExpired: 'Mail a new link when one is opened too late',
  mailOnExpiredHint: 'At most once an hour for each purchase.',
  noMail: 'This server has no mail server, so it sends no links.',
  save: 'Save',
  saved: 'Saved',
};
