import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembersModule } from '../members/members.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { AccountChangesService } from './account-changes.service.js';
import { AccountClaimsService } from './account-claims.service.js';
import { AccountCleanupJob } from './account-cleanup.job.js';
import { AccountInvitesController } from './invites/account-invites.controller.js';
import { AccountInvitesService } from './invites/account-invites.service.js';
import { InvitedSignUpService } from './invites/invited-sign-up.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { AddressRulesService } from './address-rules.service.js';
import { EmailChangeMailsService } from './email/email-change-mails.service.js';
import { EmailChangeRequestsService } from './email/email-change-requests.service.js';
import { EmailChangesService } from './email/email-changes.service.js';
import { EmailController } from './email/email.controller.js';
import { EmailVerificationService } from './email/email-verification.service.js';
import { AccountLink } from './links/account-link.entity.js';
import { AccountLinksRepository } from './links/account-links.repository.js';
import { AccountLinksService } from './links/account-links.service.js';
import { ManagedAccountsService } from './managed-accounts.service.js';
import { NewAccountsService } from './sign-up/new-accounts.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { ForgottenPasswordsService } from './passwords/forgotten-passwords.service.js';
import { NewPasswordsService } from './passwords/new-passwords.service.js';
import { PasswordChangesService } from './passwords/password-changes.service.js';
import { PasswordCheckService } from './passwords/password-check.service.js';
import { PasswordHasherService } from './passwords/password-hasher.service.js';
import { PasswordResetLinksService } from './passwords/password-reset-links.service.js';
import { PasswordResetMailsService } from './passwords/password-reset-mails.service.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { Session } from './sessions/session.entity.js';
import { KnownDevice } from './sessions/known-device.entity.js';
import { KnownDevicesRepository } from './sessions/known-devices.repository.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SetupTokenService } from './sign-up/setup-token.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInQueueService } from './sign-in/sign-in-queue.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignUpRulesService } from './sign-up/sign-up-rules.service.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUpService } from './sign-up/sign-up.service.js';
import { AccountConfirmationService } from './deletion/account-confirmation.service.js';
import { AccountDeletionController } from './deletion/account-deletion.controller.js';
import { AccountDeletionService } from './deletion/account-deletion.service.js';
import { OperatorService } from './operator.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { CodeChecksService } from './two-factor/code-checks.service.js';
import { CodesService } from './two-factor/codes.service.js';
import { LoginAttempt } from './sign-in/login-attempt.entity.js';
import { LoginAttemptsRepository } from './sign-in/login-attempts.repository.js';
import { RecoveryCode } from './two-factor/recovery-code.entity.js';
import { RecoveryCodesRepository } from './two-factor/recovery-codes.repository.js';
import { SecondStepController } from './sign-in/sign-in-code.controller.js';
import { SecondStepsService } from './two-factor/second-steps.service.js';
import { SignInStepsService } from './two-factor/sign-in-steps.service.js';
import { TwoFactorController } from './two-factor/two-factor.controller.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';
import { TwoFactorSetupService } from './two-factor/two-factor-setup.service.js';
import { TwoFactorStateService } from './two-factor/two-factor-state.service.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

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
    SecondStepController,
    SessionsController,
    SignInController,
    SignUpController,
    TwoFactorController,
  ],
  providers: [
    AccountChangesService,
    AccountClaimsService,
    AccountCleanupJob,
    AccountConfirmationService,
    AccountDeletionService,
    AccountInvitesService,
    AccountLinksRepository,
    AccountLinksService,
    AccountsService,
    AddressRulesService,
    CodeChecksService,
    CodesService,
    InvitedSignUpService,
    EmailChangeMailsService,
    EmailChangeRequestsService,
    EmailChangesService,
    EmailVerificationService,
    ForgottenPasswordsService,
    KnownDevicesRepository,
    LoginAttemptsRepository,
    ManagedAccountsService,
    NewAccountsService,
    NewPasswordsService,
    OperatorService,
    PasswordChangesService,
    PasswordCheckService,
    PasswordHasherService,
    PasswordResetLinksService,
    PasswordResetMailsService,
    PasswordResetService,
    RecoveryCodesRepository,
    SecondStepsService,
    SessionsRepository,
    SessionsService,
    SetupTokenService,
    SignInQueueService,
    SignInService,
    SignInStepsService,
    SignUpRulesService,
    SignUpService,
    TwoFactorService,
    TwoFactorSetupService,
    TwoFactorStateService,
    UsersRepository,
  ],
  exports: [AccountsService, ManagedAccountsService],
})
export class AccountsModule {}
