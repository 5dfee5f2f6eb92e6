import { inviteMail } from './invite.mail.js';

const url = 'https://tenure.example/invite#token=x';
const expiresAt = new Date(Date.UTC(2026, 0, 9, 3, 4, 5, 678));

function mailOf(name: string | null, projectName: string, role: 'admin' | 'developer' | 'viewer' = 'viewer') {
  return inviteMail({ sender: { name, email: 'ada@example.com', projectName }, role, url, expiresAt });
}

describe('the mail of an invite', () => {
  it('says who invites to what, as what, until when, and why it came', () => {
    expect(mailOf('Ada', 'Engines', 'developer')).toEqual({
      subject: 'Invitation to “Engines”',
      paragraphs: [
        'Ada (ada@example.com) invites you to the project “Engines” as a developer, who can change everything but members and keys.',
        'The link is valid until 2026-01-09 03:04 UTC.',
      ],
      action: { label: 'Open the invitation', url },
      reason:
        'You get this mail because ada@example.com entered your address. If you do not expect it, ignore it.',
    });
    expect(mailOf(null, 'Engines').paragraphs[0]).toMatch(/^ada@example\.com invites you/);
  });

  it.each([
    ['a line break', 'Acme\r\nBcc: everybody', 'Acme Bcc: everybody'],
    ['several spaces and a tab', ' Acme   \t Inc ', 'Acme Inc'],
    ['a turn of the direction', 'Acme\u202Egnp.exe', 'Acmegnp.\u2060exe'],
    ['an address', 'Win at https://evil.example/x', 'Win at https:\u2060//evil.\u2060example/x'],
    ['the name of a site', 'Node.js', 'Node.\u2060js'],
    ['a full stop at the end', 'Acme Inc.', 'Acme Inc.'],
    ['60 characters', '😀'.repeat(60), '😀'.repeat(60)],
    ['a whole mail', 'x'.repeat(255), `${'x'.repeat(59)}…`],
  ])('keeps a name with %s on one short line that is no link', (_, name, shown) => {
    const { subject, paragraphs } = mailOf(name, name);
    expect(subject).toBe(`Invitation to “${shown}”`);
    expect(paragraphs[0]).toContain(`${shown} (ada@example.com) invites you to the project “${shown}”`);
  });
});
