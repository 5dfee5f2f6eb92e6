import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { parse } from 'cookie';
import type { Request } from 'express';
import { Strategy } from 'passport';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { SessionCredentials } from './credential-lookups.js';
import { credentialHash, SESSION_COOKIE } from './credentials.js';
import type { SessionPrincipal } from '../principal/principal.js';

const TOUCH_AFTER_MS = 60_000;

type Done = (error: unknown, principal: SessionPrincipal | false | null) => void;

class CookieStrategy extends Strategy {
  override name = 'session';

  constructor(private readonly verify: (token: string, done: Done) => void) {
    super();
  }

  override authenticate(request: Request): void {
    const token = parse(request.headers.cookie ?? '')[SESSION_COOKIE];
    if (!token) return this.fail(401);
    this.verify(token, (error, principal) => {
      if (error) this.error(error);
      else if (principal) this.success(principal);
      else this.fail(401);
    });
  }
}

@Injectable()
export class SessionStrategy extends PassportStrategy(CookieStrategy, 'session') {
  constructor(
    private readonly sessions: SessionCredentials,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  async validate(token: string): Promise<SessionPrincipal | false> {
    const tokenHash = credentialHash(token);
    const now = new Date(this.clock.nowMs());
    const session = await this.sessions.find(tokenHash, now);
    if (!session) return false;
    if (now.getTime() - session.lastSeenAt.getTime() > TOUCH_AFTER_MS) {
      await this.sessions.recordUse(tokenHash, now);
    }
    const { id: sessionId, userId, email, method, ssoOrgId } = session;
    return { kind: 'session', userId, email, sessionId, method, ssoOrgId };
  }
}
