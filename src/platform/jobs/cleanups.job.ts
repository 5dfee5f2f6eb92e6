import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { LogService } from '../observability/log.service.js';
import { deleteInBatches } from './batches.js';
import { CLEANUP, type CleanupMethod, type CleanupRule } from './cleanup.js';
import { runRound } from './job-events.js';

const HOUR_MS = 3_600_000;

interface KnownCleanup {
  rule: CleanupRule;
  run: CleanupMethod;
}

/** Calls every method marked with `@Cleanup`, one after the other. Replicas share the work. */
@Injectable()
export class CleanupsJob {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('cleanups', HOUR_MS)
  async run(): Promise<void> {
    for (const { rule, run } of this.cleanups()) {
      const until = new Date(this.clock.nowMs() - rule.keptMs);
      await runRound(
        rule.job,
        () => deleteInBatches((limit) => run(until, limit)),
        (error) =>
          this.log.warn({ err: error, job: rule.job }, 'old rows could not be deleted; retrying in an hour'),
      );
    }
  }

  private cleanups(): KnownCleanup[] {
    const providers = new Set(this.discovery.getProviders().map(({ instance }) => instance as unknown));
    return [...providers].flatMap((provider) => {
      if (typeof provider !== 'object' || provider === null) return [];
      const prototype = Object.getPrototypeOf(provider) as Record<string, CleanupMethod> | null;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const method = prototype?.[name];
        const rule = method && (Reflect.getMetadata(CLEANUP, method) as CleanupRule | undefined);
        return rule ? [{ rule, run: method.bind(provider) }] : [];
      });
    });
  }
}
