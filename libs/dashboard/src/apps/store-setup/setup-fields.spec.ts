import { massExtensionBody } from '../mass-extension/mass-extension-body.js';
import { lookAgainAfter } from '../mass-extension/mass-extension.queries.js';
import { changesOf } from './setup-fields.js';

describe('what a form of the store set-up sends', () => {
  it('sends typed values; emptied ones are removed, hidden ones stay', () => {
    const initial = {
      app_apple_id: '',
      bundle_id: 'com.example.app',
      shared_secret: '',
      sns_topic_arn: 'arn:1',
      track_new_purchases: 'false',
    };
    const typed = {
      app_apple_id: '6443000000',
      bundle_id: ' com.example.new ',
      shared_secret: '',
      sns_topic_arn: ' ',
      track_new_purchases: 'true',
    };
    expect(changesOf(initial, typed)).toEqual({
      app_apple_id: 6443000000,
      bundle_id: 'com.example.new',
      sns_topic_arn: null,
      track_new_purchases: true,
    });
  });
});

describe('a mass extension', () => {
  it('names countries in any way that people list them', () => {
    const typed = {
      product_id: 'pro',
      extend_by_days: '7',
      extend_reason_code: 'other',
      environment: 'sandbox',
      storefront_country_codes: ' usa, DEU;fra\n',
    };
    expect(massExtensionBody(typed)).toEqual({
      ...typed,
      extend_by_days: 7,
      storefront_country_codes: ['USA', 'DEU', 'FRA'],
    });
  });

  it.each([
    [0, 15_000],
    [599_999, 15_000],
    [600_000, 60_000],
  ])('polls after %d ms again after %d ms', (sinceMs, expected) => {
    expect(lookAgainAfter(1_000, 1_000 + sinceMs)).toBe(expected);
  });
});
