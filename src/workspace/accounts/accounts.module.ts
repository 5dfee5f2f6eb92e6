import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembersModule } from '../members/members.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { SessionCredentials } from '../../platform/auth/credential-lookups.js';
import { AccountChangesService } from './account-changes.service.js';
import { AccountInvitesController } from './invites/account-invites.controller.js';
import { AccountInvitesService } from './invites/account-invites.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { EmailController } from './email/email.controller.js';
import { AccountEmailService } from './email/account-email.service.js';
import { AccountLink } from './links/account-link.entity.js';
import { AccountLinksRepository } from './links/account-links.repository.js';
import { AccountLinksService } from './links/account-links.service.js';
import { ManagedAccountsService } from './managed-accounts.service.js';
import { NewAccountsService } from './sign-up/new-accounts.service.js';
import { ForgottenPasswordsService } from './passwords/forgotten-passwords.service.js';
import { PasswordCheckService } from './passwords/password-check.service.js';
import { PasswordHasherService } from './passwords/password-hasher.service.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { Session } from './sessions/session.entity.js';
import { KnownDevice } from './sessions/known-device.entity.js';
import { KnownDevicesRepository } from './sessions/known-devices.repository.js';
import { SessionCredentialsRepository } from './sessions/session-credentials.repository.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInQueueService } from './sign-in/sign-in-queue.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUpService } from './sign-up/sign-up.service.js';
import { AccountDeletionController } from './deletion/account-deletion.controller.js';
import { AccountDeletionService } from './deletion/account-deletion.service.js';
import { OperatorService } from './operator.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { LoginAttempt } from './sign-in/login-attempt.entity.js';
import { LoginAttemptsRepository } from './sign-in/login-attempts.repository.js';
import { RecoveryCode } from './two-factor/recovery-code.entity.js';
import { RecoveryCodesRepository } from './two-factor/recovery-codes.repository.js';
import { TwoFactorCodesService } from './two-factor/two-factor-codes.service.js';
import { TwoFactorController } from './two-factor/two-factor.controller.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Global, because the access guard injects `SessionCredentials`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([AccountLink, KnownDevice, LoginAttempt, RecoveryCode, Session, User]),
    MembersModule,
    ProjectsModule,
    RateLimitsModule,
  ],
  controllers: [
    AccountDeletionController,
    AccountInvitesController,
    AccountsController,
    EmailController,
    PasswordsController,
    SessionsController,
    SignInController,
    SignUpController,
    TwoFactorController,
  ],
  providers: [
    AccountChangesService,
    AccountDeletionService,
    AccountEmailService,
    AccountInvitesService,
    AccountLinksRepository,
    AccountLinksService,
    AccountsService,
    ForgottenPasswordsService,
    KnownDevicesRepository,
    LoginAttemptsRepository,
    ManagedAccountsService,
    NewAccountsService,
    OperatorService,
    PasswordCheckService,
    PasswordHasherService,
    PasswordsService,
    RecoveryCodesRepository,
    SessionsRepository,
    SessionsService,
    SignInQueueService,
    SignInService,
    SignUpService,
    TwoFactorCodesService,
    TwoFactorService,
    UsersRepository,
    { provide: SessionCredentials, useClass: SessionCredentialsRepository },
  ],
  exports: [AccountsService, ManagedAccountsService, SessionCredentials],
})
export class AccountsModule {}
