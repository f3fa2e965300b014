// SPDX-License-Identifier: Apache-2.0

/** What a reader looks at: the end of the list, or a row and where its upper edge stands in the viewport. */
export type Anchor =
  | { readonly kind: 'end' }
  | { readonly kind: 'row'; readonly id: string; readonly top: number }
  | { readonly kind: 'none' };

/** Pixels from the end within which a reader counts as reading the newest message. */
const END_MARGIN_PX = 48;

/** Whether a list stands at its end. */
export function atEnd(list: HTMLElement): boolean {
  return list.scrollHeight - list.clientHeight - list.scrollTop <= END_MARGIN_PX;
}

/**
 * Notes what the reader looks at, before the list is drawn anew.
 * @param list the scrolling element
 * @param complete the list holds the newest message, so that its end is a place to stay at
 */
export function anchorOf(list: HTMLElement, complete: boolean): Anchor {
  if (complete && atEnd(list)) return { kind: 'end' };
  const edge = list.getBoundingClientRect().top;
  for (const row of list.querySelectorAll<HTMLElement>('[data-message]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { kind: 'row', id: row.dataset['message'] ?? '', top: top - edge };
  }
  return { kind: 'none' };
}

/** Scrolls so that the reader goes on looking at the same, whatever came or went above it. */
export function restore(list: HTMLElement, anchor: Anchor): void {
  if (anchor.kind === 'end') list.scrollTop = list.scrollHeight;
  if (anchor.kind !== 'row') return;
  const row = rowOf(list, anchor.id);
  if (row === undefined) return;
  const moved = row.getBoundingClientRect().top - list.getBoundingClientRect().top - anchor.top;
  if (Math.abs(moved) >= 1) list.scrollTop += moved;
}

/** The row of a message, if it is drawn. */
export function rowOf(list: HTMLElement, id: string): HTMLElement | undefined {
  return [...list.querySelectorAll<HTMLElement>('[data-message]')].find((row) => row.dataset['message'] === id);
}
