import type { MailContent } from '../../platform/mail/mail.js';

export interface RedemptionLinkMail {
  appName: string;
  url: string;
  minutes: number;
  supportEmail: string | null;
}

/** Mails a link to a purchase. The subject never contains the token, because it appears on locked screens. */
export function redemptionLinkMail({ appName, url, minutes, supportEmail }: RedemptionLinkMail): MailContent {
  return {
    subject: `Your purchase in ${appName}`,
    paragraphs: [
      `Open this link on the device on which you use ${appName}. It gives the app what you bought on the web.`,
      `The link works once, for ${duration(minutes)}. Only the newest link works.`,
      ...(supportEmail === null ? [] : [`Questions? Write to ${supportEmail}.`]),
    ],
    action: { label: `Open in ${appName}`, url },
    reason: `You get this mail because this address was given with a purchase in ${appName}.`,
  };
}

function duration(minutes: number): string {
  const units: [number, string][] = [
    [1440, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ];
  const [length, name] = units.find(([size]) => minutes % size === 0) as [number, string];
  const count = minutes / length;
  return count === 1 ? `${count} ${name}` : `${count} ${name}s`;
}
