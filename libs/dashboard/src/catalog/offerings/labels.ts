export const criteriaLabels = {
  all: 'All SDK versions',
  google_sdk_lt_6: 'Android SDK before version 6',
  google_sdk_ge_6: 'Android SDK from version 6',
};
