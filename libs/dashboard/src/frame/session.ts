import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter, ParsedLocation, RouterHistory } from '@tanstack/react-router';
import { accountQuery } from '../api/account.queries.js';
import { callLog } from '../api/call-log.js';
import { hasDirtyForms } from './dirty-forms.js';
import { nextPath } from './next-path.js';

type Message = 'signed-out' | 'signed-in';
type Listener = (state: 'covered' | 'open') => void;

/**
 * The end of a session, for every tab: what was loaded is forgotten and the page goes to `/login`. A form with unsent
 * contents stays, covered until the same person is signed in again.
 */
export class Session {
  private readonly channel = new BroadcastChannel('tenure-session');
  private readonly listeners = new Set<Listener>();
  private coveredFor: string | null = null;

  constructor(
    private readonly queries: QueryClient,
    private readonly router: AnyRouter,
  ) {
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data === 'signed-out') this.end();
      else void this.goOn();
    };
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly isCovered = (): boolean => this.coveredFor !== null;

  /** A call was answered 401, or another tab signed out. */
  readonly ended = (): void => {
    this.channel.postMessage('signed-out' satisfies Message);
    this.end();
  };

  /** This tab signed in. */
  readonly began = (): void => {
    this.queries.clear();
    this.channel.postMessage('signed-in' satisfies Message);
  };

  /** This tab signed out on purpose, and its page goes on without a session. */
  readonly signedOutHere = (): void => {
    this.channel.postMessage('signed-out' satisfies Message);
    this.empty();
  };

  /** This tab signed out on purpose. */
  readonly signedOut = async (): Promise<void> => {
    this.channel.postMessage('signed-out' satisfies Message);
    await this.leave({});
  };

  /** Takes the cover away if the same person is back; another one starts afresh. */
  readonly goOn = async (): Promise<void> => {
    if (this.coveredFor === null) {
      const { pathname, search } = this.router.state.location as ParsedLocation<{ next?: string }>;
      const { history } = this.router as { history: RouterHistory };
      if (pathname === '/login') history.replace(nextPath(search.next, location.origin));
      return;
    }
    const account = await this.queries.fetchQuery({ ...accountQuery, staleTime: 0 }).catch(() => null);
    if (!account) return;
    if (account.user.id === this.coveredFor) {
      this.coveredFor = null;
      this.tell();
      await this.queries.invalidateQueries();
      return;
    }
    location.assign('/');
  };

  private end(): void {
    const { matches, location: here } = this.router.state;
    const needsSession = matches.some(({ routeId }) => (routeId as string).startsWith('/signed-in'));
    if (this.coveredFor !== null || !needsSession || here.pathname === '/login') return;
    const userId = this.queries.getQueryData(accountQuery.queryKey)?.user.id;
    if (userId !== undefined && hasDirtyForms()) {
      this.coveredFor = userId;
      this.tell();
      return;
    }
    void this.leave({ next: here.href });
  }

  /** What was loaded goes after the pages that show it: they would ask for it again. */
  private async leave(search: { next?: string }): Promise<void> {
    await this.router.navigate({ to: '/login', search, ignoreBlocker: true });
    this.empty();
  }

  private empty(): void {
    this.queries.clear();
    callLog.clear();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.coveredFor === null ? 'open' : 'covered');
  }
}
