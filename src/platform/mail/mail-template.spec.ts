import fc from 'fast-check';
import type { MailContent } from './mail.js';
import { renderMail } from './mail-template.js';

const content: MailContent = {
  subject: 'You are invited to "Ada & Söhne"',
  paragraphs: ['Bob invites you.', 'The link works for 7 days.'],
  action: { label: 'Open the invite', url: 'https://tenure.example/invite?token=a&b=1' },
  reason: 'You get this mail because Bob entered your address.',
};
const page = 'https://tenure.example/settings/mails';

describe('a mail', () => {
  it('has its paragraphs, one link in full and the reason as text', () => {
    expect(renderMail(content).text).toBe(`Bob invites you.

The link works for 7 days.

Open the invite:
https://tenure.example/invite?token=a&b=1

-- 
You get this mail because Bob entered your address.
`);
  });

  it('has the same as HTML, with a button and the link in full', () => {
    const { html } = renderMail(content);
    const url = 'https://tenure.example/invite?token=a&amp;b=1';
    expect(html).toContain('<p>Bob invites you.</p>\n<p>The link works for 7 days.</p>');
    expect(html).toMatch(
      new RegExp(`<a href="${url.replace('?', '\\?')}" style="[^"]+">Open the invite</a>`),
    );
    expect(html).toContain(`<a href="${url}">${url}</a>`);
    expect(html).toContain('>You get this mail because Bob entered your address.</p>');
  });

  it('needs no action', () => {
    const { text, html } = renderMail({ ...content, action: undefined });
    expect(text).not.toContain('http');
    expect(html).not.toContain('<a ');
  });

  it('loads nothing and tracks nothing', () => {
    expect(renderMail(content).html).not.toMatch(/<(?:img|link|script|iframe|style)|url\(|src=/i);
  });

  it('stays as it is whatever people call themselves', () => {
    const tags = (html: string): string[] =>
      (html.match(/<[^>]+>/g) ?? []).filter((tag) => !tag.startsWith('<a '));
    const named = (name: string): MailContent => ({
      ...content,
      subject: `Invite of ${name}`,
      paragraphs: [`${name} invites you.`, 'The link works for 7 days.'],
      reason: `You get this mail because ${name} entered your address.`,
    });
    const wanted = {
      tags: tags(renderMail(named('Bob')).html),
      lines: renderMail(named('Bob')).text.split('\n').length,
    };
    const piece = fc.oneof(
      fc.constantFrom(
        '\r\nBcc: eve@example.com',
        '</p><p>',
        '<script>',
        '"',
        "' onclick=",
        '\u2028',
        '\u202e',
        '&lt;',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (pieces) => {
        const { subject, text, html } = renderMail(named(pieces.join('')));
        expect({ tags: tags(html), lines: text.split(/[\n\r\u0085\u2028\u2029]/).length }).toEqual(wanted);
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it.each<[string, Partial<MailContent>, Record<string, string>]>([
    ['no way to stop them', {}, {}],
    ['a page', { unsubscribeUrl: page }, { 'List-Unsubscribe': `<${page}>` }],
    [
      'a page and one click',
      { unsubscribeUrl: page, oneClickUnsubscribeUrl: 'https://tenure.example/stop?token=a' },
      {
        'List-Unsubscribe': '<https://tenure.example/stop?token=a>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    ],
    [
      'a page and one click without TLS',
      { unsubscribeUrl: page, oneClickUnsubscribeUrl: 'http://localhost/stop?token=a' },
      { 'List-Unsubscribe': `<${page}>` },
    ],
  ])('has the headers of mails with %s', (_, changes, wanted) => {
    const { headers, text, html } = renderMail({ ...content, ...changes });
    expect(headers).toEqual({ 'Auto-Submitted': 'auto-generated', ...wanted });
    expect([text.includes(page), html.includes(page)]).toEqual(Array(2).fill('unsubscribeUrl' in changes));
  });
});
