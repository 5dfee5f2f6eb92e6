import { DataText } from '../../ui/text/data-text.js';
import { Icon, type IconName } from '../../ui/icons.js';

export interface InviteResult {
  email: string;
  state: 'sending' | 'sent' | 'mail-failed' | 'failed';
  /** The server's message. */
  message?: string;
}

const looks: Record<InviteResult['state'], { icon: IconName; colour: string; words: string }> = {
  sending: { icon: 'send', colour: 'text-muted', words: 'Sending' },
  sent: { icon: 'success', colour: 'text-good', words: 'Invited' },
  'mail-failed': {
    icon: 'warning',
    colour: 'text-warn',
    words: 'Invited, but the email could not be sent. It is retried; you can also resend it.',
  },
  failed: { icon: 'error', colour: 'text-bad', words: '' },
};

/** The result for each address. */
export function InviteResults({ results }: { results: readonly InviteResult[] }) {
  return (
    <ul
      aria-label="Results"
      aria-live="polite"
      className="flex flex-col gap-2 rounded-md border border-line p-3"
    >
      {results.map(({ email, state, message }) => {
        const { icon, colour, words } = looks[state];
        return (
          <li key={email} className="flex gap-2">
            <Icon name={icon} className={`mt-0.5 ${colour}`} />
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">
                <DataText>{email}</DataText>
              </span>{' '}
              <span className={colour}>
                <DataText>{message ?? words}</DataText>
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
