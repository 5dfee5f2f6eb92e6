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
  /** Routes that end here. */
  routes: Route[];
  /** Routes that take whatever follows (`*name`). */
  wildcards: Route[];
}

const node = (): Node => ({ literals: new Map(), routes: [], wildcards: [] });

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
      if (segment.startsWith(':')) at = at.parameter ??= node();
      else {
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
