export const changeText = {
  label: 'Changes',
  field: 'Field',
  before: 'Before',
  after: 'After',
  notRecorded: 'Value not recorded',
  empty: 'empty',
};
