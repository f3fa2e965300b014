// SPDX-License-Identifier: Apache-2.0

/** A rule about the text of source files: what it looks for, and lines that prove it works. */
export interface TextRule {
  readonly title: string;
  /** Paths that it holds for. */
  readonly files: RegExp;
  /** True for a line that breaks the rule. */
  readonly breaks: (line: string) => boolean;
  /** Lines that it must catch. */
  readonly broken: readonly string[];
  /** Lines that it must let pass. */
  readonly sound: readonly string[];
}

const SOURCE = /\.(ts|tsx|mjs|cjs|js|py|sh|css|html|json|jsonc|toml|ya?ml|md|txt)$|^(bin|\.ci|bench)\/[^.]+$/;
const CODE = /\.(ts|tsx|mjs|cjs|py|css)$/;
const TESTS = /(\.spec\.tsx?|_test\.py|(^|\/)test_[^/]*\.py)$/;

const UNFINISHED_TEST =
  /\b(describe|it|test)\.(skip|only|todo|failing)\b|\b(xit|fit|xdescribe|fdescribe|xtest)\(|pytest\.(skip|xfail|importorskip)|mark\.(skip|skipif|xfail)\b|unittest\.skip/;
const MACHINE_PATH = /(^|[^\w.~-])\/(root|work|farm|Users\/\w+|home\/[a-z]\w*)(?!\w)/;
const SWITCH_OFF =
  /(eslint-disable\S*|@ts-(?:ignore|expect-error|nocheck)|prettier-ignore|noqa\b(?::\s*[A-Z0-9, ]+)?|type:\s*ignore(?:\[[^\]]*\])?|pragma:\s*no cover|(?:v8|c8|istanbul) ignore \S+)(.*)$/;
/** At least three words behind a dash, a colon or a hash. */
const REASON = /(--?|—|:|#)\s+\S+\s+\S+\s+\S+/;

const HOSTS = /\b(npmjs|pypi|pythonhosted|debian|yarnpkg)\.(org|com)\b/;

/** The rules; this file itself is not judged by them. */
export const TEXT_RULES: readonly TextRule[] = [
  {
    title: '[TST-2] no test is skipped, focused or left to do',
    files: TESTS,
    breaks: (line: string): boolean => UNFINISHED_TEST.test(line),
    broken: [
      "it.skip('x')",
      "describe.only('x')",
      "test.todo('x')",
      "fit('x')",
      '@pytest.mark.skipif(True)',
      'pytest.skip("x")',
    ],
    sound: ["it('does not skip a line')", 'iterator.only', "it.each(['skip'])('x')", "split('x')"],
  },
  {
    title: 'no check is switched off without its reason on the same line',
    files: /^(?!bench\/peer\/).*\.(ts|tsx|mjs|cjs|py|css)$/,
    breaks: (line: string): boolean => {
      const directive = SWITCH_OFF.exec(line);
      return directive !== null && !REASON.test(directive[2] ?? '');
    },
    broken: [
      '// eslint-disable-next-line',
      '// eslint-disable-next-line no-console',
      '/* eslint-disable */',
      'x = 1  # type: ignore',
      'x = 1  # type: ignore[misc]',
      'x  # noqa: E501',
      '// @ts-expect-error',
    ],
    sound: [
      '// eslint-disable-next-line no-console -- this is the command line',
      'x = 1  # type: ignore[misc]  # Hermes has no types',
      'x  # noqa: E501 - an address that cannot be cut',
      '// @ts-expect-error: the argument is wrong on purpose',
    ],
  },
  {
    title: 'no path of one machine stands in the repository',
    files: SOURCE,
    breaks: (line: string): boolean => MACHINE_PATH.test(line),
    broken: ['cd /root/angelia', '"/home/ann/x"', '/Users/ann', '(/work/main)'],
    sound: [
      'docs/work/main',
      '/var/lib/angelia',
      '$HOME/x',
      'home/.hermes',
      '"/workspace"',
      'https://chat.example.com/rooted',
    ],
  },
  {
    title: 'no package registry is named',
    files: SOURCE,
    breaks: (line: string): boolean => HOSTS.test(line),
    broken: ['--index-url https://pypi.org/simple', 'registry.npmjs.org', 'files.pythonhosted.org'],
    sound: ['npm install', 'chat.example.com', 'debian'],
  },
  {
    title: 'no work is left for later in the sources',
    files: CODE,
    breaks: (line: string): boolean => /\b(TODO|FIXME|XXX|HACK)\b/.test(line),
    broken: ['// TODO: later', '# FIXME'],
    sound: ['a todo list', 'XXXX'],
  },
];
