import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery } from '../../api/account.queries.js';
import { api, call } from '../../api/client.js';
import { useWrite } from '../../api/write.js';
import { Menu } from '../../ui/overlays/menu.js';
import { useToast } from '../../ui/overlays/toast.js';
import { usePreferences } from '../preferences.js';
import { useSession } from '../session/session-context.js';

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;

export function AccountMenu() {
  const { data: account } = useQuery(accountQuery);
  const { preferences, change, forget } = usePreferences();
  const navigate = useNavigate();
  const session = useSession();
  const toast = useToast();
  const signOut = useWrite({
    send: () => call(api.POST('/auth/logout')),
    onDone: () => {
      forget();
      void session.signedOut();
    },
  });
  return (
    <Menu
      label={`Account of ${account?.user.name || account?.user.email || 'you'}`}
      iconOnly
      icon="user"
      items={[
        {
          label: 'Account',
          hint: account?.user.email,
          icon: 'settings',
          onSelect: () => void navigate({ to: '/account' }),
        },
        ...Object.entries(themes).map(([theme, label], index) => ({
          label,
          separator: index === 0,
          checked: preferences.theme === theme,
          onSelect: () => change({ theme: theme as keyof typeof themes }),
        })),
        {
          label: 'Sign out',
          icon: 'log-out',
          separator: true,
          onSelect: () =>
            signOut.mutate(undefined, {
              onError: ({ message }) =>
                toast({ title: 'You are still signed in', description: message, tone: 'bad' }),
            }),
        },
      ]}
    />
  );
}
