import { Injectable } from '@nestjs/common';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import type { Executor } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { AppType } from '../../platform/principal/app-types.js';
import type { SupportAddresses } from '../../sdk/support-calls/support-addresses.js';
import type { UpdateRedemptionSettingsDto } from './redemption-settings.dto.js';
import type { RedemptionSettings } from './redemption-settings.entity.js';
import { defaultSettings, settingsAfter } from './redemption-settings.policy.js';
import { RedemptionSettingsRepository } from './redemption-settings.repository.js';

/** Fields whose values are audited. */
const recordedFields: PlainField<RedemptionSettings>[] = [
  'enabled',
  'urlScheme',
  'linkMinutes',
  'mailOnPurchase',
  'mailOnExpired',
  'appName',
  'appStoreUrl',
  'playStoreUrl',
  'supportEmail',
];

const MOBILE: ReadonlySet<AppType> = new Set<AppType>([
  'app_store',
  'mac_app_store',
  'play_store',
  'amazon',
  'test_store',
]);

@Injectable()
export class RedemptionSettingsService implements SupportAddresses {
  constructor(
    private readonly repository: RedemptionSettingsRepository,
    private readonly catalogs: CatalogService,
    private readonly apps: AppsService,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
  ) {}

  async forProject(projectId: string, executor?: Executor): Promise<RedemptionSettings> {
    return (await this.repository.find(projectId, executor)) ?? defaultSettings(projectId);
  }

  async supportEmail(projectId: string): Promise<string | null> {
    return (await this.forProject(projectId)).supportEmail;
  }

  /** @throws ApiError 400 naming the field; 422 for a mail setting without a mail server */
  update(write: ProjectWrite, body: UpdateRedemptionSettingsDto): Promise<RedemptionSettings> {
    const asked = (['mail_on_purchase', 'mail_on_expired'] as const).find((name) => body[name] === true);
    if (asked !== undefined && !this.canSendMail) throw this.noMail(asked);
    return this.writes.run(write, async (tx) => {
      const present = await this.repository.lock(tx, write.projectId);
      const settings = settingsAfter(present, body);
      await this.repository.update(tx, settings);
      await tx.audit({
        action: 'updated',
        target: 'redemption_settings',
        targetId: write.projectId,
        data: auditChanges(present, settings, recordedFields),
      });
      return settings;
    });
  }

  get canSendMail(): boolean {
    return this.config.smtpUrl !== null;
  }

  mailsOnExpired({ mailOnExpired }: RedemptionSettings): boolean {
    return this.canSendMail && (mailOnExpired ?? true);
  }

  noMail(param: string): ApiError {
    return new ApiError('impossible', 'This server has no mail server.', { param });
  }

  /** The app's name for customers. */
  async appNameOf({ projectId, appName }: RedemptionSettings, executor?: Executor): Promise<string> {
    return appName ?? (await this.repository.projectName(projectId, executor)) ?? 'the app';
  }

  /** The URL scheme of links; null if none is set and the project has no mobile app. */
  async schemeOf({ projectId, urlScheme }: RedemptionSettings): Promise<string | null> {
    if (urlScheme !== null) return urlScheme;
    const { apps } = await this.catalogs.get(projectId);
    const [oldest] = [...apps.values()]
      .filter(({ type }) => MOBILE.has(type))
      // The Test Store represents an app only in development, so it sorts last.
      .sort((a, b) => order(a) - order(b) || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
    return oldest ? ((await this.apps.find(projectId, oldest.id))?.customUrlScheme ?? null) : null;
  }
}

function order({ type }: { type: AppType }): number {
  return type === 'test_store' ? 1 : 0;
}
