import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { AccountCleanup } from './account-cleanup.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { NewAccountsService } from './new-accounts.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { PasswordCheckService } from './passwords/password-check.service.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { Session } from './sessions/session.entity.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SetupToken } from './setup-token.js';
import { SignInController } from './sign-in.controller.js';
import { SignInQueue } from './sign-in-queue.js';
import { SignInService } from './sign-in.service.js';
import { SignUpRulesService } from './sign-up-rules.service.js';
import { SignUpService } from './sign-up.service.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Dashboard users: accounts, sign-in, sessions. */
@Module({
  imports: [TypeOrmModule.forFeature([User, Session]), ProjectsModule, RateLimitsModule],
  controllers: [AccountsController, SignInController],
  providers: [
    AccountCleanup,
    AccountsService,
    NewAccountsService,
    PasswordCheckService,
    PasswordHasher,
    PasswordResetService,
    SessionsRepository,
    SessionsService,
    SetupToken,
    SignInQueue,
    SignInService,
    SignUpRulesService,
    SignUpService,
    UsersRepository,
  ],
})
export class AccountsModule {}
