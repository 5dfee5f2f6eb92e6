import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS_RULE } from './access.js';

/** Refuses to start while a route does not say who may call it. */
@Injectable()
export class AccessAudit implements OnModuleInit {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ instance }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => {
          const handler = prototype[name] ?? {};
          return Reflect.hasMetadata(PATH_METADATA, handler) && !Reflect.hasMetadata(ACCESS_RULE, handler);
        })
        .map((name) => `${prototype.constructor?.name ?? '?'}.${name}`);
    });
    if (open.length > 0) throw new Error(`Routes without an access rule: ${open.join(', ')}`);
  }
}
