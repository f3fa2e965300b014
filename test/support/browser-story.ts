// SPDX-License-Identifier: Apache-2.0
import { HARBOUR, type Message, type World } from '../../playground/borgee/index.js';
import { AGENT, emptyWorld } from './browser-stage.js';

const { authors, channels } = HARBOUR;

/** The time at which the story is told, so that its pictures are the same every time. */
export const STORY_NOW = Date.UTC(2026, 4, 12, 9, 41);

const MINUTE = 60_000;

const PLAN = `The export is slow because every row asks the database for its owner. Three steps:

1. Read all owners of a page in **one** query.
2. Keep them in a map by id.
3. Stream the rows instead of collecting them.

\`\`\`ts
const owners = new Map(
  (await ownersOf(page.map((row) => row.ownerId)))
    .map((owner) => [owner.id, owner]),
);
for (const row of page) yield format(row, owners.get(row.ownerId));
\`\`\`

On the copy of last week's data this takes \`1.8 s\` instead of \`41 s\`. The query plan is described in
https://example.com/handbook/query-plans.`;

/** The last answer of the story, as far as it has come in the picture of streaming. */
export const STREAMED = `Here is the note for the release page:

**Exports are fast again**
- An export of 10,000 rows takes about two seconds.
- The file begins to download at once, so`;

/** A morning in the channel "engineering": people, answers, code, a reply, an edited and a deleted message. */
export function story(): World {
  const world = emptyWorld();
  const say = (authorId: string, minutesAgo: number, body: string, replyToId: string | null = null): Message =>
    world.post({
      channelId: channels.engineering,
      authorId,
      body,
      replyToId,
      createdAt: STORY_NOW - minutesAgo * MINUTE,
    });

  say(authors.Jonas, 1_010, 'The nightly build is green again. Thanks for the quick fix, everybody!');
  const oops = say(authors.Aiko, 1_005, 'wrong channel, sorry');
  world.remove(oops.id, authors.Aiko);
  say(authors.Mira, 31, 'Good morning! The customer export takes 41 seconds since Friday.');
  const question = say(authors.Mira, 30, '@Hermes can you find out why, and what we should do about it?');
  const answer = say(AGENT.id, 29, PLAN, question.id);
  world.edit(answer.id, AGENT.id, PLAN, STORY_NOW - 28 * MINUTE);
  const review = say(authors.Jonas, 18, 'I like it. I will open the change before lunch.');
  world.edit(
    review.id,
    authors.Jonas,
    'I like it. I will open the change before lunch, tests included.',
    STORY_NOW - 17 * MINUTE,
  );
  return world;
}

/** Two messages in another channel, while the story is read. */
export function greetElsewhere(world: World): void {
  const said = { channelId: channels.general, authorId: authors.Jonas, createdAt: STORY_NOW };
  world.post({ ...said, body: 'Is anybody at the harbour today?' });
  world.post({ ...said, body: 'The coffee is fresh.' });
}

/** The last question of the story, a moment ago. */
export function askForNote(world: World): Message {
  const body = '@Hermes please write a short note for the release page.';
  return world.post({ channelId: channels.engineering, authorId: authors.Aiko, body, createdAt: STORY_NOW - MINUTE });
}

/** The agent's answer to it, as far as it has come. */
export function beginNote(world: World, question: Message): Message {
  const { engineering } = channels;
  const first = {
    channelId: engineering,
    authorId: AGENT.id,
    body: 'Here',
    replyToId: question.id,
    createdAt: STORY_NOW,
  };
  const note = world.post(first);
  return world.edit(note.id, AGENT.id, STREAMED, STORY_NOW);
}
