import { Injectable } from '@nestjs/common';

/** A route as its controller declares it. */
export interface Route {
  /** `ALL` for any. */
  method: string;
  /** In Express's notation: `/v1/subscribers/:app_user_id`. */
  pattern: string;
  /** Anybody may call it, without a credential. */
  isOpen: boolean;
}

interface Node {
  /** By the lower-case text of the next segment: paths match in any case. */
  literals: Map<string, Node>;
  parameter?: Node;
  /** Set when the segment that leads here is an id of a customer. */
  customerId?: CustomerId;
  /** Routes that end here. */
  routes: Route[];
  /** Routes that take whatever follows (`*name`). */
  wildcards: Route[];
}

type CustomerId = 'app_user_id' | 'store_user_id';

/** Parameters of routes that hold ids of customers. */
const CUSTOMER_PARAMETERS: Record<string, CustomerId | undefined> = {
  ':app_user_id': 'app_user_id',
  ':customer_id': 'app_user_id',
  ':store_user_id': 'store_user_id',
};
/** An unknown segment that may be shown: it tells which route is missing. */
const ROUTE_WORD = /^[a-z][a-z_-]{0,40}$/;

const node = (): Node => ({ literals: new Map(), routes: [], wildcards: [] });

/** As the app knows it. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A trailing slash is a segment of its own, which no route has. */
const segmentsOf = (path: string): string[] => path.split('/').slice(1);

function collect(from: Node, segments: string[], index: number, found: Route[]): void {
  const segment = segments[index];
  if (segment === undefined) return void found.push(...from.routes);
  const literal = from.literals.get(segment.toLowerCase());
  if (literal) collect(literal, segments, index + 1, found);
  if (from.parameter && segment !== '') collect(from.parameter, segments, index + 1, found);
  if (segment !== '' || index < segments.length - 1) found.push(...from.wildcards);
}

/** Every route of the server, to know of a request before Express has routed it. Filled at start. */
@Injectable()
export class RouteTable {
  private readonly root = node();

  add(route: Route): void {
    let at = this.root;
    for (const segment of segmentsOf(route.pattern)) {
      if (segment.startsWith('*')) return void at.wildcards.push(route);
      if (segment.startsWith(':')) {
        at = at.parameter ??= node();
        at.customerId ??= CUSTOMER_PARAMETERS[segment];
      } else {
        const next = at.literals.get(segment.toLowerCase()) ?? node();
        at.literals.set(segment.toLowerCase(), next);
        at = next;
      }
    }
    at.routes.push(route);
  }

  /** The route that answers; literal segments come before parameters. Undefined: none does. */
  find(method: string, path: string): Route | undefined {
    const asked = method === 'HEAD' ? 'GET' : method;
    return this.routesOf(path).find((route) => route.method === asked || route.method === 'ALL');
  }

  /** The pattern that stands for the path whatever the method: one of as many as there are routes. */
  patternOf(method: string, path: string): string | undefined {
    return (this.find(method, path) ?? this.routesOf(path)[0])?.pattern;
  }

  /**
   * A path for the log. Ids of customers are replaced, and what no route knows is left out but for its first word.
   * `appUserId`: the first of them, as it came.
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
      const kind =
        literals.length > 0 ? undefined : parameters.find(({ customerId }) => customerId)?.customerId;
      const id = decoded(segment);
      if (kind === 'app_user_id') appUserId ??= id;
      shown.push(kind === undefined ? segment : replace(id));
    }
    return { path: `/${shown.join('/')}`, appUserId };
  }

  /** Methods that the path answers, sorted; empty for an unknown path. */
  methodsOf(path: string): string[] {
    return [...new Set(this.routesOf(path).map(({ method }) => method))].sort();
  }

  private routesOf(path: string): Route[] {
    const found: Route[] = [];
    // `OPTIONS *` asks of the server as a whole.
    if (path.startsWith('/')) collect(this.root, segmentsOf(path), 0, found);
    return found;
  }
}
