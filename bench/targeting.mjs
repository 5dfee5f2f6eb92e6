import { call } from './world.mjs';

/** Ten rules of which the last one matches, and two running experiments that let half of the customers in. */
export async function targetingOf(url, { path, backendHeaders }) {
  const post = async (suffix, body) => (await call(url, 'POST', path + suffix, backendHeaders, body)).json;
  const [control, treatment] = [
    await post('/offerings', { lookup_key: 'control', display_name: 'Control' }),
    await post('/offerings', { lookup_key: 'treatment', display_name: 'Treatment' }),
  ];
  for (let place = 1; place <= 10; place++) {
    const value = place === 10 ? ['web'] : ['roku'];
    await post('/targeting_rules', {
      display_name: `Rule ${place}`,
      state: 'active',
      offering_id: control.id,
      conditions: [
        { field: 'country', operator: 'not in', value: ['AQ'] },
        { field: 'platform', operator: 'in', value },
      ],
    });
  }
  for (const name of ['First', 'Second']) {
    const experiment = await post('/experiments', {
      display_name: name,
      offering_a_id: control.id,
      offering_b_id: treatment.id,
      enrollment_mode: 'new_and_existing',
      enrollment_percentage: 25,
    });
    await post(`/experiments/${experiment.id}/actions/start`, {});
  }
}
