import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { authConfigQuery } from '../../api/account.queries.js';

interface SsoOffered {
  email: string;
  url: string;
}

/**
 * Whether an address uses single sign-on, if the server supports it. `next` is the target after it; undefined skips the
 * lookup.
 */
export function useSso(next: string | undefined) {
  const { data: config } = useQuery(authConfigQuery);
  const [offered, setOffered] = useState<SsoOffered | null>(null);
  /** The address for which the person chose the password instead. */
  const [declined, setDeclined] = useState('');
  const ask = (typed: string, isRequired = false) => {
    const email = typed.trim();
    if (!config?.sso || next === undefined || (email === declined && !isRequired) || !email.includes('@'))
      return;
    void import('./sso-lookup.js')
      .then(({ ssoAddressOf }) => ssoAddressOf(email, next))
      // The password still works as a fallback, and the server reports it if it does not accept one.
      .then(
        (url) => setOffered(url === null ? null : { email, url }),
        () => undefined,
      );
  };
  return {
    ask,
    /** Returns the URL for the `typed` address, or null. */
    urlFor: (typed: string) => (offered?.email === typed.trim() ? offered.url : null),
    decline: () => {
      setDeclined(offered?.email ?? '');
      setOffered(null);
    },
  };
}
