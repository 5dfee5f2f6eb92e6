import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { currentSessionQuery } from '../../api/account.queries.js';
import { useNow } from '../../ui/format/format-context.js';
import { Icon } from '../../ui/icons.js';
import { Time } from '../../ui/format/time.js';

const DAY_MS = 24 * 60 * 60_000;
/** Delays the request, so that the page's own calls come first. */
const WAIT_MS = 5_000;

/** A session expires 30 days after it started, regardless of activity. Hidden until the last day. */
export function SessionEndNote() {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data: session } = useQuery({ ...currentSessionQuery, enabled: isDue });
  const { href } = useLocation();
  const now = useNow();
  if (!session || session.expires_at - now > DAY_MS) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-panel px-4 py-1.5 text-sm"
    >
      <Icon name="clock" className="text-muted" />
      <span>
        You will be signed out on <Time ms={session.expires_at} show="full" />.
      </span>
      <Link to="/login" search={{ next: href }}>
        Sign in again
      </Link>
    </div>
  );
}
