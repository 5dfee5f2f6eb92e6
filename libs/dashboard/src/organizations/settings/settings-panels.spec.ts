import { changesOf, problemOf, type SettingsField } from './settings-panels.js';

const seats: SettingsField = { name: 'seats', label: 'Seats', value: '10', kind: 'integer' };
const email: SettingsField = { name: 'billing_email', label: 'Address', value: '', kind: 'email' };
const name: SettingsField = { name: 'name', label: 'Name', value: 'Acme', missing: 'Missing' };

describe('settings of an organization', () => {
  it.each([
    [{ seats: '10', billing_email: '', name: 'Acme' }, {}],
    [{ seats: '', billing_email: '', name: 'Acme' }, { seats: null }],
    [
      { seats: ' 25 ', billing_email: 'a@b.io', name: 'New' },
      { seats: 25, billing_email: 'a@b.io', name: 'New' },
    ],
  ])('sends only what was changed: %j', (values, changes) => {
    expect(changesOf([seats, email, name], values)).toEqual(changes);
  });

  it.each([
    [seats, '12', null],
    [seats, '1e3', 'Enter a whole number, or leave it empty.'],
    [name, ' ', 'Missing'],
  ])('says what is wrong with a value', (field, value, problem) => {
    expect(problemOf(field, value)).toBe(problem);
  });
});
