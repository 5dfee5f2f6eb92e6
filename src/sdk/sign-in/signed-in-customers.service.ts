import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import {
  AuthIdentitiesService,
  type MappedIdentity,
} from '../auth-providers/identities/auth-identities.service.js';
import type { JoiningSignIn } from '../identity/customer-joins.service.js';
import { IdentifyService } from '../identity/identify.service.js';
import { LinkedIdsService } from './linked-ids.service.js';
import type { Login } from './login.js';

/** An anonymous customer to be joined with the one who signs in. */
type Link = Omit<JoiningSignIn, 'newAppUserId'>;

/** The customer of an identity. */
@Injectable()
export class SignedInCustomersService {
  constructor(
    private readonly identities: AuthIdentitiesService,
    private readonly identifying: IdentifyService,
    private readonly links: LinkedIdsService,
    private readonly customers: CustomersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Loads what the sign-in's transaction needs to join the customer of `link_to_id`; null if there is none. */
  async linkOf({ app, linkToId, issuer, device, requestId }: Login): Promise<Link | null> {
    const { projectId, appId } = app;
    const anonymousId = linkToId && (await this.links.anonymousId(projectId, linkToId, issuer));
    if (!anonymousId) return null;
    const join = { projectId, appId, currentAppUserId: anonymousId, newAppUserId: '', device, requestId };
    return this.identifying.prepare(join);
  }

  /** Records the sign-in, joins the linked customer as `logIn` does, and returns the app user id. */
  async signIn(tx: Transaction, login: Login, identity: MappedIdentity, link: Link | null): Promise<string> {
    const { appUserId } = await this.identities.signedIn(tx, login.app.projectId, identity);
    if (link) await this.identifying.signIn(tx, { ...link, newAppUserId: appUserId });
    await this.create(tx, login, appUserId);
    return appUserId;
  }

  /** Does nothing if the id is in use. */
  async create(tx: Transaction, { app, device }: Login, appUserId: string): Promise<void> {
    await this.customers.create(tx, app.projectId, appUserId, device, this.clock.nowMs());
  }
}
