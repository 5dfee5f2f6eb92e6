import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PageQuery } from '../http/lists/page-query.js';
import { RouteTableService } from '../http/pipeline/route-table.service.js';
import { ACCESS_RULE, type AccessRule } from './access.js';

const pathsOf = (target: object): string[] =>
  [(Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined) ?? ''].flat();

/** Whether a handler takes paging parameters. */
function isPaged(prototype: object, name: string): boolean {
  const types = Reflect.getMetadata('design:paramtypes', prototype, name) as unknown[] | undefined;
  return (
    types?.some(
      (type) => typeof type === 'function' && (type === PageQuery || type.prototype instanceof PageQuery),
    ) ?? false
  );
}

/** Refuses to start if a route has no access rule, and passes the rules to the route table. */
@Injectable()
export class AccessAuditService implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly routes: RouteTableService,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ instance }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name] ?? {}))
        .filter((name) => !this.register(prototype, name))
        .map((name) => `${prototype.constructor?.name ?? '?'}.${name}`);
    });
    if (open.length > 0) throw new Error(`Routes without an access rule: ${open.join(', ')}`);
  }

  /** Returns false for a route without a rule. */
  private register(prototype: Record<string, object>, name: string): boolean {
    const [controller, handler] = [prototype.constructor ?? {}, prototype[name] ?? {}];
    const rule = Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined;
    if (rule === undefined) return false;
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    for (const prefix of pathsOf(controller)) {
      for (const path of pathsOf(handler)) {
        const pattern = `/${prefix}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
        const isOpen = rule.credentials.length === 0;
        this.routes.add({
          method,
          pattern,
          isOpen,
          hasOwnGuard: rule.ownGuard,
          ignoresBody: rule.ignoresBody,
          isList: isPaged(prototype, name),
        });
      }
    }
    return true;
  }
}
