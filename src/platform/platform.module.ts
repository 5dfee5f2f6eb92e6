import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { Clock } from '../../libs/kernel/index.js';
import type { Config } from './config/config.js';
import type { LogService } from './observability/log.service.js';
import { ApiDocsModule } from './api-docs/api-docs.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import { DataLocationModule } from './data-location/data-location.module.js';
import { DatabaseModule } from './database/database.module.js';
import { ExchangeRatesModule } from './exchange-rates/exchange-rates.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MailModule } from './mail/mail.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { PartitionsModule } from './partitions/partitions.module.js';
import { SecretsModule } from './secrets/secrets.module.js';

/** The foundation of every feature: configuration, database, HTTP, access, jobs, logs and metrics. */
@Module({})
export class PlatformAreaModule {
  static with(config: Config, clock: Clock, log: LogService): DynamicModule {
    return {
      module: PlatformAreaModule,
      imports: [
        ConfigModule.with(config, clock),
        ObservabilityModule.with(log),
        HealthModule,
        DatabaseModule.connect(),
        DataLocationModule,
        ScheduleModule.forRoot({ intervals: config.runsJobs }),
        PartitionsModule,
        JobsModule,
        AuthModule,
        AuditModule,
        IdempotencyModule,
        HttpModule,
        ApiDocsModule,
        SecretsModule,
        OutboundModule,
        MailModule,
        ExchangeRatesModule,
      ],
    };
  }
}
