import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { NestFactory } from '@nestjs/core';
import { systemClock } from '../../libs/kernel/index.js';
import { isEmail, normalizeEmail } from '../accounts/email.js';
import { isPassword, normalizePassword } from '../accounts/passwords/password-policy.js';
import { SignUpService } from '../accounts/sign-up.service.js';
import { AppModule } from '../app.module.js';
import { ApiError } from '../http/api-error.js';
import { FrameworkLog } from '../observability/log.js';
import { CommandFailed } from './command-failed.js';
import { print, withDatabase } from './context.js';

export interface OwnerOptions {
  email: string;
  name?: string;
  project: string;
  passwordStdin?: boolean;
}

/** An account with a project of its own, whoever may sign up. The password comes from standard input, or is made. */
export async function createOwner(options: OwnerOptions): Promise<void> {
  const email = normalizeEmail(options.email);
  if (!isEmail(email)) throw new CommandFailed(`${options.email} is no e-mail address.`);
  const given = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  const password = normalizePassword(given ?? randomBytes(18).toString('base64url'));
  if (!isPassword(password)) throw new CommandFailed('A password has 8 to 256 characters.');
  await withDatabase(async ({ config, log }) => {
    // A process that serves nothing and runs no jobs.
    const module = AppModule.with(config.with({ role: 'api' }), systemClock, log);
    const app = await NestFactory.createApplicationContext(module, {
      logger: new FrameworkLog(log),
      abortOnError: false,
    });
    try {
      const account = { email, password, name: options.name ?? null, projectName: options.project };
      await app.get(SignUpService, { strict: false }).createOwner(account);
    } catch (error) {
      if (error instanceof ApiError) throw new CommandFailed(error.message);
      throw error;
    } finally {
      await app.close();
    }
  });
  print(`Created ${email}, who owns the project ${JSON.stringify(options.project)}.`);
  if (given === null) print(`Password: ${password}`);
}
