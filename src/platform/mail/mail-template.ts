import type { MailContent } from './mail.js';

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const BODY = 'margin:0;padding:24px;background:#ffffff;color:#1f2328;font:16px/1.5 sans-serif';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none';
const NOTE = 'color:#59636e;font-size:13px';

/** Names are chosen by users: line breaks and direction marks would let them imitate the rest of the mail. */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}

function escaped(text: string): string {
  return oneLine(text).replaceAll(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? '');
}

function link(url: string): string {
  return `<a href="${escaped(url)}">${escaped(url)}</a>`;
}

function textOf({ paragraphs, action, reason, unsubscribeUrl }: MailContent): string {
  const parts = paragraphs.map(oneLine);
  if (action) parts.push(`${oneLine(action.label)}:\n${oneLine(action.url)}`);
  const notes = [oneLine(reason)];
  if (unsubscribeUrl !== undefined) notes.push(`To stop these mails: ${oneLine(unsubscribeUrl)}`);
  // "-- " starts a signature (RFC 3676, 4.3).
  return `${parts.join('\n\n')}\n\n-- \n${notes.join('\n')}\n`;
}

function htmlOf({ subject, paragraphs, action, reason, unsubscribeUrl }: MailContent): string {
  const parts = paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`);
  if (action) {
    parts.push(
      `<p><a href="${escaped(action.url)}" style="${BUTTON}">${escaped(action.label)}</a></p>`,
      `<p style="${NOTE}">Or open this link:<br>${link(action.url)}</p>`,
    );
  }
  parts.push(`<p style="${NOTE}">${escaped(reason)}</p>`);
  if (unsubscribeUrl !== undefined) {
    parts.push(`<p style="${NOTE}">To stop these mails: ${link(unsubscribeUrl)}</p>`);
  }
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="${BODY}">
<div style="max-width:560px;margin:0 auto">
${parts.join('\n')}
</div>
</body>
</html>
`;
}

function headersOf({ unsubscribeUrl, oneClickUnsubscribeUrl }: MailContent): Record<string, string> {
  // Prevents out-of-office replies (RFC 3834).
  const headers: Record<string, string> = { 'Auto-Submitted': 'auto-generated' };
  const oneClick = oneClickUnsubscribeUrl?.startsWith('https://') ? oneClickUnsubscribeUrl : undefined;
  const listed = oneClick ?? unsubscribeUrl;
  if (listed !== undefined) headers['List-Unsubscribe'] = `<${oneLine(listed)}>`;
  if (oneClick !== undefined) headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click';
  return headers;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export function renderMail(content: MailContent): RenderedMail {
  return {
    subject: oneLine(content.subject),
    text: textOf(content),
    html: htmlOf(content),
    headers: headersOf(content),
  };
}
