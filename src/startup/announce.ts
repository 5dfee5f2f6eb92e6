import type { INestApplication } from '@nestjs/common';
import type { Config } from '../config/config.js';

/** Tells the person at the terminal where the server is. */
export async function announce(app: INestApplication, config: Config): Promise<void> {
  await Promise.resolve(app);
  process.stdout.write(`\nTenure is ready at ${config.baseUrl}\nAPI documentation: ${config.baseUrl}/docs\n`);
}
