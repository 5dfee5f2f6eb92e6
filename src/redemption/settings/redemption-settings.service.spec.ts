import type { Config } from '../../platform/config/config.js';
import { defaultSettings } from './redemption-settings.policy.js';
import { RedemptionSettingsService } from './redemption-settings.service.js';

const on = (smtpUrl: string | null): RedemptionSettingsService => {
  const none = {} as never;
  return new RedemptionSettingsService(none, none, none, none, { smtpUrl } as Config);
};

describe('redemption on a server without a mail server', () => {
  it.each(['mail_on_purchase', 'mail_on_expired'])('%s cannot be turned on', (name) => {
    const write = { projectId: 'proj1' } as never;
    expect(() => on(null).update(write, { [name]: true })).toThrow('This server has no mail server.');
  });

  it('sends nothing, whatever was set before', () => {
    const settings = { ...defaultSettings('proj1'), mailOnExpired: true };
    expect(on(null).mailsOnExpired(settings)).toBe(false);
    expect(on('smtp://mail.example.com').mailsOnExpired(settings)).toBe(true);
    expect(on('smtp://mail.example.com').mailsOnExpired({ ...settings, mailOnExpired: null })).toBe(true);
    expect(on('smtp://mail.example.com').mailsOnExpired({ ...settings, mailOnExpired: false })).toBe(false);
  });
});
