import type { Schema } from '../api/types.js';

type Settings = Schema<'StoreSettingsDto'>;
export type Handling = Settings['refund_request_handling'];
export type Consent = Settings['refund_data_consent'];

const types = ['app_store', 'mac_app_store', 'play_store'] as const;
export type AskingType = (typeof types)[number];

/** How an app answers refund requests. */
export interface AppAnswers {
  id: string;
  name: string;
  type: AskingType;
  handling: Handling;
  consent: Consent;
}

/** Whether the store of an app asks about refunds. */
export const isAsking = (type: string): type is AskingType => (types as readonly string[]).includes(type);

export const isOff = ({ handling }: Pick<AppAnswers, 'handling'>): boolean => handling === 'do_not_handle';

/** Apple gets an answer only about customers who agreed. Google's answer states no consent. */
export const lacksConsent = (app: Pick<AppAnswers, 'handling' | 'type' | 'consent'>): boolean =>
  !isOff(app) && app.type !== 'play_store' && app.consent === 'none';
