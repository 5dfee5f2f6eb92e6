import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter, ParsedLocation, RouterHistory } from '@tanstack/react-router';
import { accountQuery } from '../../api/account.queries.js';
import type { CallError } from '../../api/call-error.js';
import { callLog } from '../../api/call-log.js';
import { closeToasts } from '../../ui/overlays/overlays.js';
import { unsavedForms } from '../forms/unsaved-forms.js';
import { nextPath } from './next-path.js';

/** `signed-out` applies to earlier requests; a late 401 says nothing about a newer session. */
interface Message {
  kind: 'signed-out' | 'signed-in';
  atMs: number;
}
type Listener = (state: 'covered' | 'open') => void;

/**
 * The end of a session, across all tabs: clears loaded data and opens `/login`. A form with unsaved input remains,
 * covered until the same person signs in again.
 */
export class Session {
  private readonly channel = new BroadcastChannel('tenure-session');
  private readonly listeners = new Set<Listener>();
  private coveredFor: string | null = null;
  /** The newest sign-in of this browser that the tab knows of. */
  private signedInAtMs = Date.now();

  constructor(
    private readonly queries: QueryClient,
    private readonly router: AnyRouter,
  ) {
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'signed-in') {
        this.signedInAtMs = data.atMs;
        void this.goOn();
      } else if (data.atMs >= this.signedInAtMs) this.end();
    };
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly isCovered = (): boolean => this.coveredFor !== null;

  readonly isOutdated = ({ begunAtMs }: CallError): boolean => begunAtMs < this.signedInAtMs;

  /** A call returned 401. */
  readonly ended = (error: CallError): void => {
    if (this.isOutdated(error)) return;
    this.post('signed-out', error.begunAtMs);
    this.end();
  };

  /** This tab signed in. */
  readonly began = (): void => {
    this.empty();
    this.signedInAtMs = Date.now();
    this.post('signed-in', this.signedInAtMs);
  };

  /** This tab signed out deliberately, and its page continues without a session. */
  readonly signedOutHere = (): void => {
    this.post('signed-out');
    this.empty();
  };

  /** This tab signed out deliberately. */
  readonly signedOut = async (): Promise<void> => {
    this.post('signed-out');
    await this.leave({});
  };

  /** Removes the cover if the same person is back; for another person the tab starts over. */
  readonly goOn = async (): Promise<void> => {
    const { pathname, search } = this.router.state.location as ParsedLocation<{ next?: string }>;
    if (pathname === '/login') {
      const { history } = this.router as { history: RouterHistory };
      history.replace(nextPath(search.next, location.origin));
      return;
    }
    const userId = this.coveredFor ?? this.userId();
    if (userId === undefined) return;
    const account = await this.queries.fetchQuery({ ...accountQuery, staleTime: 0 }).catch(() => null);
    if (!account) return;
    if (account.user.id !== userId) {
      // Leaving must not ask about another person's input.
      unsavedForms.clear();
      location.assign('/');
      return;
    }
    if (this.coveredFor === null) return;
    this.coveredFor = null;
    this.tell();
    await this.queries.invalidateQueries();
  };

  private userId(): string | undefined {
    return this.queries.getQueryData(accountQuery.queryKey)?.user.id;
  }

  private post(kind: Message['kind'], atMs = Date.now()): void {
    this.channel.postMessage({ kind, atMs } satisfies Message);
  }

  private end(): void {
    const { matches, location: here } = this.router.state;
    const needsSession = matches.some(({ routeId }) => (routeId as string).startsWith('/signed-in'));
    if (this.coveredFor !== null || !needsSession || here.pathname === '/login') return;
    const userId = this.userId();
    if (userId !== undefined && unsavedForms.size > 0) {
      this.coveredFor = userId;
      this.tell();
      return;
    }
    void this.leave({ next: here.href });
  }

  /** Clears loaded data after the pages that show it are unmounted, because they would refetch it. */
  private async leave(search: { next?: string }): Promise<void> {
    await this.router.navigate({ to: '/login', search, ignoreBlocker: true });
    this.empty();
  }

  private empty(): void {
    this.queries.clear();
    callLog.clear();
    closeToasts();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.coveredFor === null ? 'open' : 'covered');
  }
}
