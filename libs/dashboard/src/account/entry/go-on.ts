import { useRouter } from '@tanstack/react-router';
import { isServerPage, nextPath } from '../../frame/session/next-path.js';
import { useSession } from '../../frame/session/session-context.js';

/** Completes a sign-in: informs other tabs, and redirects to `next` if it is a path of this server. */
export function useGoOn(): (next?: string) => void {
  const session = useSession();
  const router = useRouter();
  return (next) => {
    session.began();
    const path = nextPath(next, location.origin);
    if (isServerPage(path)) location.assign(path);
    else router.history.replace(path);
  };
}
