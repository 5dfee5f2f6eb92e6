import type { Offering } from '../catalog.types.js';
import { sdkOffering } from './sdk-offering.js';

const attached = (key: string, app: string, criteria = 'all', state = 'active') => ({
  product: { store_identifier: key, app_id: app, state },
  eligibility_criteria: criteria,
});
const item = (key: string, ...products: object[]) => ({ lookup_key: key, products: { items: products } });
const offering = {
  lookup_key: 'default',
  display_name: 'Default',
  metadata: { color: 'blue' },
  packages: {
    items: [
      item(
        'monthly',
        attached('ios_m', 'ios'),
        attached('old', 'play', 'google_sdk_lt_6'),
        attached('pro:m', 'play'),
      ),
      item('annual', attached('ios_y', 'ios', 'all', 'inactive')),
      item('none'),
    ],
  },
} as unknown as Offering;

describe('an offering as an SDK gets it', () => {
  it('has the packages with an active product of the app', () => {
    expect(sdkOffering(offering, { id: 'ios', type: 'app_store' })).toEqual({
      answer: {
        identifier: 'default',
        description: 'Default',
        metadata: { color: 'blue' },
        packages: [{ identifier: 'monthly', platform_product_identifier: 'ios_m' }],
      },
      leftOut: ['annual', 'none'],
    });
  });

  it('names the base plan on Android, for SDKs that know them', () => {
    expect(sdkOffering(offering, { id: 'play', type: 'play_store' }).answer.packages).toEqual([
      { identifier: 'monthly', platform_product_identifier: 'pro', platform_product_plan_identifier: 'm' },
    ]);
  });
});
