import { Injectable } from '@nestjs/common';

interface Route {
  method: string;
  pattern: RegExp;
}

function patternOf(path: string): RegExp {
  const escaped = path
    .split('/')
    .map((segment) => {
      if (segment.startsWith('{') && segment.endsWith('}')) return '[^/]+';
      return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${escaped}/?$`);
}

/** Every documented route, to tell a wrong method (405) from an unknown path (404). Filled at start. */
@Injectable()
export class RouteTable {
  private routes: Route[] = [];

  /** `paths`: the `paths` object of the OpenAPI document. */
  fill(paths: Record<string, object>): void {
    this.routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => ({ method: method.toUpperCase(), pattern: patternOf(path) })),
    );
  }

  /** Methods that the path answers, sorted; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  }
}
