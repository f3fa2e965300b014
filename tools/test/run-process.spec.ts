// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from 'node:os';
import { type Command, runProcess } from './run-process.js';

function program(source: string, options: Partial<Command> = {}): Command {
  return { argv: [process.execPath, '-e', source], env: {}, cwd: tmpdir(), timeoutMs: 20_000, live: false, ...options };
}

describe('a program that bin/test runs', () => {
  it('is told by its exit code and everything that it printed', async () => {
    const end = await runProcess(program('console.log("out"); console.error("err"); process.exitCode = 3;'));
    expect(end).toMatchObject({ code: 3, ended: null });
    expect(end.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('has only the environment that it is given', async () => {
    const end = await runProcess(program('console.log(Object.keys(process.env).join())', { env: { ONLY: '1' } }));
    expect(end.output).toBe('ONLY\n');
  });

  it('that cannot be started ends with 127', async () => {
    const end = await runProcess(program('', { argv: ['/nonexistent/program'] }));
    expect(end.code).toBe(127);
    expect(end.output).toContain('cannot be started');
  });

  it('that takes too long is ended together with its children', async () => {
    const child =
      'require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })';
    const end = await runProcess(program(`${child}; setInterval(() => {}, 1000);`, { timeoutMs: 300 }));
    // The pipes close only when every process that holds them is gone.
    expect(end).toMatchObject({ code: null, ended: 'timeout' });
  });

  it('[TST-2] that has done its work and does not end is ended and told apart', async () => {
    const end = await runProcess(program('setInterval(() => {}, 1000)', { isDone: () => true, exitGraceMs: 50 }));
    expect(end).toMatchObject({ code: null, ended: 'did_not_exit' });
  });
});
