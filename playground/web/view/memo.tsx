// SPDX-License-Identifier: Apache-2.0
import { Component, type ComponentChild, type ComponentType, createElement } from 'preact';

/**
 * A component that is drawn anew only when one of its properties is another value. The timeline's rows are such: an edit
 * of one message touches one row.
 * @param View component to wrap; its properties have to be values that are replaced, not changed
 */
export function memo<P extends object>(View: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !sameProperties(this.props, next);
    }

    override render(): ComponentChild {
      return createElement(View, this.props);
    }
  };
}

/** Whether two sets of properties hold the same values. */
function sameProperties(left: object, right: object): boolean {
  const entries = Object.entries(left);
  const other = right as Readonly<Record<string, unknown>>;
  return entries.length === Object.keys(right).length && entries.every(([key, value]) => other[key] === value);
}
