import type { Experiment } from './experiments.queries.js';
import {
  bodyOf,
  changesOf,
  emptyPlacement,
  emptyValues,
  fieldsOf,
  NO_OFFERING,
  valuesOf,
} from './experiment-form.js';

const offering = (id: string) => ({ id, identifier: id, display_name: id, paywall_id: null });

const experiment = {
  display_name: 'Prices',
  offering_a: offering('o1'),
  offering_b: offering('o2'),
  offering_c: null,
  offering_d: null,
  enrollment_percentage: 40,
  enrollment_mode: 'only_new',
  weights: [70, 30],
  targeting_conditions: [{ field: 'country', operator: 'in', value: ['DE'], context: null }],
  placements: {
    fallback_offering_b: offering('o3'),
    placement_offerings: [{ placement_identifier: 'settings', offering_a: null }],
  },
  experiment_type: 'price_point',
  primary_metric: 'conversion_to_paying',
  secondary_metrics: ['total_mrr'],
  notes: null,
} as unknown as Experiment;

describe('the form of an experiment', () => {
  const draft = fieldsOf('draft');
  const body = bodyOf(valuesOf(experiment), draft);

  it('sends what it read: no offering is null, the fallback is left out', () => {
    expect(body).toEqual({
      display_name: 'Prices',
      offering_a_id: 'o1',
      offering_b_id: 'o2',
      offering_c_id: null,
      offering_d_id: null,
      enrollment_percentage: 40,
      enrollment_mode: 'only_new',
      weights: [70, 30],
      targeting_conditions: [{ field: 'country', operator: 'in', value: ['DE'] }],
      placements: {
        fallback_offering_b_id: 'o3',
        placement_offerings: [{ placement_identifier: 'settings', offering_a_id: null }],
      },
      experiment_type: 'price_point',
      primary_metric: 'conversion_to_paying',
      secondary_metrics: ['total_mrr'],
      notes: null,
    });
  });

  it('sends only what was changed', () => {
    const after = bodyOf({ ...valuesOf(experiment), notes: 'Go on', weights: '' }, draft);
    expect(changesOf(body, after)).toEqual({ notes: 'Go on', weights: null });
    expect(changesOf(body, body)).toEqual({});
  });

  it('drops the placements of a variant that is gone', () => {
    const placement = {
      ...emptyPlacement,
      placement_identifier: 'p',
      offering_b_id: 'o1',
      offering_c_id: NO_OFFERING,
    };
    const placements = { ...emptyValues.placements, placement_offerings: [placement] };
    const sent = bodyOf({ ...valuesOf(experiment), placements }, draft);
    expect(sent.placements).toEqual({
      placement_offerings: [{ placement_identifier: 'p', offering_b_id: 'o1' }],
    });
  });

  it.each([
    [
      'running',
      ['display_name', 'enrollment_percentage', 'notes', 'primary_metric', 'secondary_metrics', 'weights'],
    ],
    ['paused', ['display_name', 'notes', 'primary_metric', 'secondary_metrics']],
    ['stopped', ['display_name', 'notes']],
  ] as const)('shows only editable fields of a %s one', (status, fields) => {
    expect(Object.keys(bodyOf(emptyValues, fieldsOf(status))).sort()).toEqual(fields);
  });
});
