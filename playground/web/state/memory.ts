// SPDX-License-Identifier: Apache-2.0

const AUTHOR = 'playground.author';
const DRAFT = 'playground.draft.';

/**
 * What outlives a reload: who speaks (per tab, and as the default of the next tab) and the drafts. A browser that
 * forbids storage only forgets them.
 */
export class Memory {
  /** Who spoke last in this tab, else in any. */
  get author(): string | null {
    return guarded(() => sessionStorage.getItem(AUTHOR) ?? localStorage.getItem(AUTHOR));
  }

  /** Remembers who speaks. */
  set author(id: string | null) {
    if (id === null) return;
    guarded(() => sessionStorage.setItem(AUTHOR, id));
    guarded(() => localStorage.setItem(AUTHOR, id));
  }

  /** All drafts by channel. */
  drafts(): ReadonlyMap<string, string> {
    const keys = guarded(() => Object.keys(localStorage)) ?? [];
    const entries = keys
      .filter((key) => key.startsWith(DRAFT))
      .map((key): [string, string] => [key.slice(DRAFT.length), guarded(() => localStorage.getItem(key)) ?? '']);
    return new Map(entries);
  }

  /** Keeps the draft of a channel; an empty one is forgotten. */
  keepDraft(channelId: string, text: string): void {
    guarded(() =>
      text === '' ? localStorage.removeItem(DRAFT + channelId) : localStorage.setItem(DRAFT + channelId, text),
    );
  }
}

/** The result of a use of storage, or null where the browser forbids it or it is full. */
function guarded<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
