import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { systemClock } from '../../libs/kernel/index.js';
import { AppModule } from '../app.module.js';
import { ApiError } from '../platform/http/errors/api-error.js';
import { FrameworkLog } from '../platform/observability/log.service.js';
import { CommandFailed } from './command-failed.js';
import { withDatabase } from './context.js';

/**
 * Runs in a process that serves no requests and runs no jobs. @throws CommandFailed where a request would be refused
 */
export async function withApplication<T>(run: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  return withDatabase(async ({ config, log }) => {
    const module = await AppModule.with(config.with({ role: 'api' }), systemClock, log);
    const app = await NestFactory.createApplicationContext(module, {
      logger: new FrameworkLog(log),
      abortOnError: false,
    });
    try {
      return await run(app);
    } catch (error) {
      if (error instanceof ApiError) throw new CommandFailed(error.message);
      throw error;
    } finally {
      await app.close();
    }
  });
}
