// SPDX-License-Identifier: Apache-2.0
import lint from '@commitlint/lint';
import load from '@commitlint/load';
import { git, repositoryRoot } from './support/source-files.js';

describe('commit messages', () => {
  it('follow Conventional Commits', async () => {
    const { rules } = await load({}, { cwd: repositoryRoot });
    const messages = git('log', '--no-merges', '--format=%B%x00')
      .split('\0')
      .map((message) => message.trim());
    const verdicts = await Promise.all(messages.filter(Boolean).map((message) => lint(message, rules)));
    const broken = verdicts
      .filter(({ valid }) => !valid)
      .map(({ input, errors }) => `${input.split('\n')[0] ?? ''}: ${errors.map(({ name }) => name).join(', ')}`);
    expect(broken).toEqual([]);
  });

  it.each(['added things', 'feat add things', 'wip: things', 'feat(x): '])('%p would be refused', async (message) => {
    const { rules } = await load({}, { cwd: repositoryRoot });
    expect((await lint(message, rules)).valid).toBe(false);
  });
});
