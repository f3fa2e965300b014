// SPDX-License-Identifier: Apache-2.0
import { audit } from './audit.js';
import { AuditFacts } from './facts.js';
import { judge } from './verdict.js';
import { type Bendable, goodRun } from './testing/good-run.js';

function verdict(bend: (run: Bendable) => void): ReturnType<typeof judge> {
  const run = goodRun();
  bend(run);
  return judge(new AuditFacts(run), ['m1', 'm2', 'm3']);
}

const drop = (run: Bendable, matches: (event: Bendable['chat'][number]) => boolean): void =>
  void run.chat.splice(0, Infinity, ...run.chat.filter((event) => !matches(event)));

describe('[INB-1] [TST-2] lost: a message without its whole answer and its end', () => {
  it('counts nothing in a good run', () => {
    expect(verdict(() => undefined)).toEqual({ answers: 3, lost: [], repeated: [] });
  });

  it('catches a message without an answer', () => {
    expect(verdict((run) => drop(run, (event) => event.type === 'posted' && event.replyTo === 'm2')).lost).toEqual([
      'm2',
    ]);
  });

  it('catches an answer that stopped at its preview', () => {
    expect(verdict((run) => drop(run, (event) => event.type === 'edited' && event.messageId === 'a1')).lost).toEqual([
      'm1',
    ]);
  });

  it('catches an answer that was deleted', () => {
    expect(verdict((run) => run.chat.push({ type: 'deleted', at: 5_000, messageId: 'a1' })).lost).toEqual(['m1']);
  });

  it('catches a turn that never ends', () => {
    expect(verdict((run) => drop(run, (event) => event.type === 'task_finished')).lost).toEqual(['m1', 'm2', 'm3']);
  });

  it('catches an answer of the model that belongs to no task', () => {
    expect(verdict((run) => drop(run, (event) => event.type.startsWith('task_'))).lost).toEqual(['m1', 'm2', 'm3']);
  });

  it('takes the answer to a command, which the model never sees, without a task', () => {
    const result = verdict((run) => {
      run.model.splice(0, 1);
      drop(
        run,
        (event) =>
          (event.type === 'task_started' || event.type === 'task_finished') && event.taskId.startsWith('borgee-1-'),
      );
    });
    expect(result.lost).toEqual([]);
  });

  it('takes what follows a slash command without a reply', () => {
    const run = goodRun();
    const command = { type: 'delivered', connection: 1, channelId: 'general', authorId: 'mira' } as const;
    run.chat.push({ ...command, at: 5_000, messageId: 'm9', text: '/status' });
    expect(judge(new AuditFacts(run), ['m9']).lost).toEqual(['m9']);
    run.chat.push({ type: 'posted', at: 5_010, messageId: 'a9', channelId: 'general', replyTo: null, text: 'Fine.' });
    expect(judge(new AuditFacts(run), ['m9'])).toEqual({ answers: 1, lost: [], repeated: [] });
  });

  it('catches a message that never came to the agent', () => {
    const run = goodRun();
    expect(audit(run, { answered: ['m1', 'm2', 'm3', 'm4'] })).toMatchObject({ lost: ['m4'], holds: false });
  });

  it('joins an answer that was split over several messages', () => {
    const result = verdict((run) => {
      const edit = run.chat.findIndex((event) => event.type === 'edited' && event.messageId === 'a1');
      const { at } = run.chat[edit]!;
      run.chat.splice(
        edit,
        1,
        { type: 'edited', at, messageId: 'a1', text: 'answer ' },
        { type: 'posted', at: at + 1, messageId: 'a1b', channelId: 'general', replyTo: null, text: '1' },
      );
    });
    expect(result).toEqual({ answers: 3, lost: [], repeated: [] });
  });
});

describe('[INB-4] [TST-2] repeated: two turns or two answers', () => {
  it('catches two turns at the model', () => {
    expect(verdict((run) => run.model.push({ ...run.model[1]!, at: 5_000, system: 'again' })).repeated).toEqual(['m2']);
  });

  it('catches an answer that stands twice in the channel', () => {
    const result = verdict((run) =>
      run.chat.push({
        type: 'posted',
        at: 5_000,
        messageId: 'a9',
        channelId: 'general',
        replyTo: 'm1',
        text: 'answer 1',
      }),
    );
    expect(result.repeated).toEqual(['m1']);
  });

  it('catches two answers to a message that the model never saw', () => {
    const result = verdict((run) => {
      run.model.splice(0);
      run.chat.push({ type: 'posted', at: 5_000, messageId: 'a9', channelId: 'general', replyTo: 'm1', text: 'hello' });
    });
    expect(result.repeated).toEqual(['m1']);
  });
});
