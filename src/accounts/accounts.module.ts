import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { AccountCleanup } from './account-cleanup.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { RateLimiter } from './rate-limits/rate-limiter.js';
import { RateLimitsRepository } from './rate-limits/rate-limits.repository.js';
import { Session } from './sessions/session.entity.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';
import { SignUpService } from './sign-up.service.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** The people of the dashboard: accounts, signing in, sessions. */
@Module({
  imports: [TypeOrmModule.forFeature([User, Session]), ProjectsModule],
  controllers: [AccountsController, SignInController],
  providers: [
    AccountCleanup,
    AccountsService,
    PasswordHasher,
    RateLimiter,
    RateLimitsRepository,
    SessionsRepository,
    SessionsService,
    SignInService,
    SignUpService,
    UsersRepository,
  ],
})
export class AccountsModule {}
