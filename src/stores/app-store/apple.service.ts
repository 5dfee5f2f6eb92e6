import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  appleApiUrls,
  type AppleApp,
  appleEnvironmentOf,
  AppleServerApi,
  type AppleServices,
  AppleVerifier,
  type InAppPurchaseKey,
  ReceiptReader,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { LogService } from '../../platform/observability/log.service.js';
import { storeCircuits } from '../shared/store-circuits.js';

/** Deadline for Apple while a client waits for its receipt. */
const DEADLINE_MS = 8_000;
/** Background work may read long histories. */
const BACKGROUND_DEADLINE_MS = 60_000;

const keyParts = ['subscription_private_key', 'subscription_key_id', 'subscription_key_issuer'] as const;
type KeyPart = (typeof keyParts)[number];

function certificatesIn(folder: string): Buffer[] {
  return readdirSync(folder)
    .sort()
    .map((file) => new X509Certificate(readFileSync(join(folder, file))).raw);
}

/** Clients of Apple's APIs, by app. Credentials are decrypted only here. */
@Injectable()
export class AppleService implements OnApplicationShutdown {
  readonly services: AppleServices;
  readonly background: AppleServices;

  constructor(
    config: Config,
    @Inject(CLOCK) clock: Clock,
    log: LogService,
    private readonly apps: AppsService,
  ) {
    const nowMs = (): number => clock.nowMs();
    const roots = config.testStores && config.testAppleRoots;
    const extraRoots = roots ? certificatesIn(roots) : [];
    if (config.testStores) {
      log.warn(
        { roots: extraRoots.length },
        'SERVICE_TEST_STORES is on: purchases of test stores are believed',
      );
    }
    const verifier = new AppleVerifier({ extraRoots, onlineChecks: config.appleOnlineChecks, nowMs });
    const urls = { ...appleApiUrls };
    if (config.testStores && config.appleApiUrl) urls.Production = config.appleApiUrl;
    if (config.testStores && config.appleSandboxApiUrl) urls.Sandbox = config.appleSandboxApiUrl;
    this.services = {
      verifier,
      receipts: new ReceiptReader({ extraRoots }),
      api: { urls, nowMs, breaker: storeCircuits(clock) },
      deadlineMs: DEADLINE_MS,
    };
    this.background = { ...this.services, deadlineMs: BACKGROUND_DEADLINE_MS };
  }

  onApplicationShutdown(): Promise<void> {
    return this.services.receipts.close();
  }

  /** An app with its credentials; fields in `given` replace the saved ones. */
  appOf(app: App, given: Record<string, string> = {}): AppleApp {
    const { storeSettings, type } = app;
    const appAppleId = storeSettings.app_apple_id;
    return {
      store: type === 'mac_app_store' ? 'mac_app_store' : 'app_store',
      bundleId: given.bundle_id ?? storeSettings.bundle_id ?? '',
      appAppleId: appAppleId === undefined ? null : Number(appAppleId),
      key: this.keyOf(app, given),
      xcodeCertificate: this.apps.credential(app, 'xcode_certificate'),
      allowUnsignedReceipts: storeSettings.allow_unsigned_receipts ?? false,
    };
  }

  api(app: AppleApp, key: InAppPurchaseKey, environment: Environment): AppleServerApi {
    const { verifier, api } = this.services;
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    return new AppleServerApi(app, key, appleEnvironmentOf(environment), verifier, api, deadline);
  }

  missingOfKey(app: App, given: Record<string, string>): string[] {
    return keyParts.filter((name) => this.partOf(app, given, name) === null);
  }

  private partOf(app: App, given: Record<string, string>, name: KeyPart): string | null {
    return given[name] ?? this.apps.credential(app, name);
  }

  private keyOf(app: App, given: Record<string, string>): InAppPurchaseKey | null {
    const privateKeyPem = this.partOf(app, given, 'subscription_private_key');
    const keyId = this.partOf(app, given, 'subscription_key_id');
    const issuerId = this.partOf(app, given, 'subscription_key_issuer');
    return privateKeyPem === null || keyId === null || issuerId === null
      ? null
      : { privateKeyPem, keyId, issuerId };
  }
}
