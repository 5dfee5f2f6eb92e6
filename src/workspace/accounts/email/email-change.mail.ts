import type { MailContent } from '../../../platform/mail/mail.js';

/** Sent to the new address. */
export function emailChangeMail(url: string): MailContent {
  return {
    subject: 'Confirm your new email address',
    paragraphs: [
      'Confirm that you want to sign in with this address from now on. The link works once, for 24 hours.',
      'If you did not ask for this, do nothing.',
    ],
    action: { label: 'Confirm the new address', url },
    reason: 'You get this mail because someone asked to use this address for their account.',
  };
}
