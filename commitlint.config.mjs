// SPDX-License-Identifier: Apache-2.0

export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'body-max-line-length': [0],
    'footer-max-line-length': [0],
    'header-max-length': [2, 'always', 100],
    // A subject may begin with a name.
    'subject-case': [0],
  },
};
