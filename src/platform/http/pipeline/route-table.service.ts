import { Injectable } from '@nestjs/common';
import { isDotSegment } from '../../../../libs/kernel/index.js';

export interface Route {
  /** `ALL` for any method. */
  method: string;
  /** Pattern in Express's notation: `/v1/subscribers/:app_user_id`. */
  pattern: string;
  /** Requires no credential. */
  isOpen: boolean;
  /** Its guard rejects invalid credentials in its own way. */
  hasOwnGuard?: boolean;
  /** Never reads the body. */
  ignoresBody?: boolean;
  /** Returns a list, one page at a time. */
  isList?: boolean;
}

interface Node {
  /** By lower-case segment: paths match in any case. */
  literals: Map<string, Node>;
  parameter?: Node;
  /** Set if the segment leading here is a customer's id. */
  customerId?: CustomerId;
  /** Set if the segment leading here is a credential. */
  isSecret?: boolean;
  routes: Route[];
  /** Routes that match any remaining path (`*name`, `{*name}`). */
  wildcards: Route[];
}

type CustomerId = 'app_user_id' | 'store_user_id';

const CUSTOMER_PARAMETERS: Record<string, CustomerId | undefined> = {
  ':app_user_id': 'app_user_id',
  ':customer_id': 'app_user_id',
  ':store_user_id': 'store_user_id',
};
/** Names chosen by callers. URL libraries resolve `.` or `..` in their place. */
const GIVEN_NAMES = new Set([
  ':app_user_id',
  ':customer_id',
  ':domain',
  ':name',
  ':store_user_id',
  ':subject',
  ':transaction_id',
  ':virtual_currency_code',
]);
/** A missing id must neither create a customer nor list all of them. */
const CUSTOMERS = '/v2/projects/:project_id/customers';
/** Microsoft's provisioning calls SCIM lists with a trailing slash, and people paste `/mcp/` into their assistants. */
const SERVED_WITH_SLASH = new Set([
  '/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/scim/v2/Users',
  '/scim/v2/Users/.search',
  '/scim/v2/Groups',
  '/scim/v2/Groups/.search',
  '/scim/v2/Schemas',
  '/scim/v2/ResourceTypes',
  '/scim/v2/ServiceProviderConfig',
]);
/** Tokens in links sent by mail. */
const SECRET_PARAMETER = ':token';
/** An unknown segment that is safe to log: it shows which route is missing. */
const ROUTE_WORD = /^[a-z][a-z_-]{0,40}$/;

const node = (): Node => ({ literals: new Map(), routes: [], wildcards: [] });

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A trailing slash is its own segment, which no route has. */
const segmentsOf = (path: string): string[] => path.split('/').slice(1);

function collect(from: Node, segments: string[], index: number, found: Route[]): void {
  const segment = segments[index];
  if (segment === undefined) return void found.push(...from.routes);
  const literal = from.literals.get(segment.toLowerCase());
  if (literal) collect(literal, segments, index + 1, found);
  if (from.parameter && segment !== '') collect(from.parameter, segments, index + 1, found);
  if (segment !== '' || index < segments.length - 1) found.push(...from.wildcards);
}

const isListAt =
  (pattern: string) =>
  (route: Route): boolean =>
    route.pattern === pattern && route.method === 'GET' && route.isList === true;

/** All routes, for lookups before Express has routed a request. Filled at startup. */
@Injectable()
export class RouteTableService {
  private readonly root = node();
  private readonly all: Route[] = [];

  add(route: Route): void {
    this.all.push(route);
    let at = this.root;
    for (const segment of segmentsOf(route.pattern)) {
      if (/^\{?\*/.test(segment)) return void at.wildcards.push(route);
      if (segment.startsWith(':')) {
        at = at.parameter ??= node();
        at.customerId ??= CUSTOMER_PARAMETERS[segment];
        at.isSecret ||= segment === SECRET_PARAMETER;
      } else {
        const next = at.literals.get(segment.toLowerCase()) ?? node();
        at.literals.set(segment.toLowerCase(), next);
        at = next;
      }
    }
    at.routes.push(route);
  }

  /** The matching route; literal segments take precedence over parameters. */
  find(method: string, path: string): Route | undefined {
    const asked = method === 'HEAD' ? 'GET' : method;
    return this.routesOf(path).find((route) => route.method === asked || route.method === 'ALL');
  }

  /** The matching pattern regardless of method. There are only as many patterns as routes. */
  patternOf(method: string, path: string): string | undefined {
    return (this.find(method, path) ?? this.routesOf(path)[0])?.pattern;
  }

  /**
   * Returns a path for the log. Customer ids are replaced, tokens are omitted, and of an unknown path only the first
   * segment remains. `appUserId`: the first customer id, unchanged.
   */
  shownPath(path: string, replace: (id: string) => string): { path: string; appUserId?: string } {
    let at = [this.root];
    let appUserId: string | undefined;
    const shown: string[] = [];
    const segments = segmentsOf(path);
    for (const [index, segment] of segments.entries()) {
      const literals = at.flatMap(({ literals: known }) => known.get(segment.toLowerCase()) ?? []);
      const parameters = at.flatMap(({ parameter }) => parameter ?? []);
      at = [...literals, ...parameters];
      if (at.length === 0) {
        const isShown = ROUTE_WORD.test(segment);
        if (isShown) shown.push(segment);
        if (!isShown || index < segments.length - 1) shown.push('…');
        break;
      }
      if (literals.length === 0 && parameters.some(({ isSecret }) => isSecret)) {
        shown.push('…');
        continue;
      }
      const kind =
        literals.length > 0 ? undefined : parameters.find(({ customerId }) => customerId)?.customerId;
      const id = decoded(segment);
      if (kind === 'app_user_id') appUserId ??= id;
      shown.push(kind === undefined ? segment : replace(id));
    }
    return { path: `/${shown.join('/')}`, appUserId };
  }

  /**
   * Returns the path without its trailing slash if the route may be called with one; otherwise null. URL libraries
   * resolve `/customers/..` to `/`, so a slash can mean that a name was lost.
   */
  withoutSlash(method: string, path: string): string | null {
    const rest = path.slice(0, -1);
    const asked = method === 'HEAD' ? 'GET' : method;
    if (!path.endsWith('/')) return null;
    if (segmentsOf(rest).some((segment) => segment === '' || isDotSegment(decoded(segment)))) return null;
    const routes = this.routesOf(rest);
    const pattern = routes.find(({ method: known }) => known === asked || known === 'ALL')?.pattern;
    if (pattern === undefined) return null;
    if (SERVED_WITH_SLASH.has(pattern)) return rest;
    if (!['GET', 'POST'].includes(asked) || pattern === CUSTOMERS || /\/:[^/]*$/.test(pattern)) return null;
    const isList = pattern.startsWith('/v2/') && routes.some(isListAt(pattern));
    return isList && !this.hasNameBelow(asked, pattern) ? rest : null;
  }

  /** Whether a route one or two segments below the pattern ends with a name chosen by callers. */
  private hasNameBelow(method: string, pattern: string): boolean {
    const depth = segmentsOf(pattern).length;
    return this.all.some((route) => {
      const below = segmentsOf(route.pattern).slice(depth);
      const isBelow = route.pattern.startsWith(`${pattern}/`) && (below.length === 1 || below.length === 2);
      return isBelow && route.method === method && GIVEN_NAMES.has(below.at(-1) ?? '');
    });
  }

  methodsOf(path: string): string[] {
    return [...new Set(this.routesOf(path).map(({ method }) => method))].sort();
  }

  private routesOf(path: string): Route[] {
    const found: Route[] = [];
    // `OPTIONS *` concerns the whole server.
    if (path.startsWith('/')) collect(this.root, segmentsOf(path), 0, found);
    return found;
  }
}
