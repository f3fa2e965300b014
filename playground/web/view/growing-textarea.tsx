// SPDX-License-Identifier: Apache-2.0
import { type RefObject, type TargetedKeyboardEvent, type VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** A text box that is as high as its text, up to the height that its style sheet allows. */
export function GrowingTextarea(props: {
  boxRef: RefObject<HTMLTextAreaElement | null>;
  id?: string;
  label: string;
  value: string;
  placeholder?: string;
  onInput: (text: string) => void;
  onKeyDown: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => void;
}): VNode {
  const { boxRef, id, label, value, placeholder, onInput, onKeyDown } = props;
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`;
  }, [value]);
  return (
    <textarea
      ref={boxRef}
      id={id}
      rows={1}
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
