import type { MailContent } from '../../platform/mail/mail.js';
import type { DigestText } from './digest-lines.policy.js';

export interface DigestMail {
  text: DigestText;
  digestName: string;
  projectName: string;
  overviewUrl: string;
  unsubscribeUrl: string;
  oneClickUnsubscribeUrl: string;
}

export function digestMail(mail: DigestMail): MailContent {
  const { text, digestName, projectName, overviewUrl, unsubscribeUrl, oneClickUnsubscribeUrl } = mail;
  return {
    subject: text.heading,
    paragraphs: text.lines,
    action: { label: 'Open the overview', url: overviewUrl },
    reason: `You get this mail because you are a recipient of the digest ${digestName} of ${projectName}.`,
    unsubscribeUrl,
    oneClickUnsubscribeUrl,
  };
}
