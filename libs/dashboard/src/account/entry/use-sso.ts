import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { authConfigQuery } from '../../api/account.queries.js';

interface SsoOffered {
  email: string;
  url: string;
}

/** Whether an address signs in elsewhere, asked where the server offers that. `next` is where it leads to; undefined: not asked. */
export function useSso(next: string | undefined) {
  const { data: config } = useQuery(authConfigQuery);
  const [offered, setOffered] = useState<SsoOffered | null>(null);
  /** The address for which a password is wanted all the same. */
  const [declined, setDeclined] = useState('');
  const ask = (typed: string, isRequired = false) => {
    const email = typed.trim();
    if (!config?.sso || next === undefined || (email === declined && !isRequired) || !email.includes('@'))
      return;
    void import('./sso-lookup.js')
      .then(({ ssoAddressOf }) => ssoAddressOf(email, next))
      // The password is there, and the server says it if it takes none.
      .then(
        (url) => setOffered(url === null ? null : { email, url }),
        () => undefined,
      );
  };
  return {
    ask,
    /** The address to go to for `typed`; null without one. */
    urlFor: (typed: string) => (offered?.email === typed.trim() ? offered.url : null),
    decline: () => {
      setDeclined(offered?.email ?? '');
      setOffered(null);
    },
  };
}
