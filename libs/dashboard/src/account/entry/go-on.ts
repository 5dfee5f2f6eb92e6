import { useRouter } from '@tanstack/react-router';
import { isServerPage, nextPath } from '../../frame/next-path.js';
import { useSession } from '../../frame/session-context.js';

/** What a sign-in ends with: other tabs hear of it, and this one goes on to `next`, if that is a path of this server. */
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
