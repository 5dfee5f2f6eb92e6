import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.queries.js';
import { buttonClass } from '../../ui/button-class.js';
import { DataText } from '../../ui/text/data-text.js';
import { Problem } from './problem-page.js';

/** Link to the person's identity provider, which returns to this page. `message` is the server's. */
export default function SsoRequired({ message }: { message: string }) {
  const { data: account } = useQuery(accountQuery);
  const next = location.pathname + location.search;
  const query = new URLSearchParams({ email: account?.user.email ?? '', next });
  return (
    <Problem title="Sign in with single sign-on">
      <p role="alert">
        <DataText>{message}</DataText>
      </p>
      <a href={`/sso/start?${query.toString()}`} className={buttonClass({ variant: 'primary' })}>
        Sign in with single sign-on
      </a>
    </Problem>
  );
}
