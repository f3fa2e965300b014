// SPDX-License-Identifier: Apache-2.0
import { type ComponentChildren, type VNode } from 'preact';

/** A line drawing of 20 by 20; what it means is said by the text beside it or the label around it. */
function Icon({ children }: { children: ComponentChildren }): VNode {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

/** The wing of the messenger: mark of the agent and of the page. */
export const WingIcon = (): VNode => (
  <svg class="icon icon-solid" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M28 5.5c-4.8 6.3-11.7 9.8-22.5 10.6 2 2.8 5.2 4 9 3.7C22 19.2 27.5 13.5 28 5.5z" />
    <path d="M23.8 17.6c-3.4 3-7.9 4.5-14.1 4.5 1.6 2.2 4 3.2 6.9 2.9 4.1-.4 6.7-3.2 7.2-7.4z" />
    <path d="M19.3 25.6c-1.7 1-3.5 1.5-5.9 1.6 1 1.1 2.3 1.5 3.5 1.3 1.4-.2 2.3-1.3 2.4-2.9z" />
  </svg>
);

export const MenuIcon = (): VNode => (
  <Icon>
    <path d="M3.5 6h13M3.5 10h13M3.5 14h8" />
  </Icon>
);

export const CloseIcon = (): VNode => (
  <Icon>
    <path d="m5.5 5.5 9 9m0-9-9 9" />
  </Icon>
);

export const SendIcon = (): VNode => (
  <Icon>
    <path d="M10 16V4.5m-5 5 5-5 5 5" />
  </Icon>
);

export const EditIcon = (): VNode => (
  <Icon>
    <path d="m4 16 .8-3.3 8.3-8.3a1.6 1.6 0 0 1 2.3 0l.2.2a1.6 1.6 0 0 1 0 2.3L7.3 15.2z" />
  </Icon>
);

export const DeleteIcon = (): VNode => (
  <Icon>
    <path d="M4 6h12M8 6V4h4v2m-6.5 0 .7 10h7.6l.7-10M8.5 9v4.5m3-4.5v4.5" />
  </Icon>
);

export const ReplyIcon = (): VNode => (
  <Icon>
    <path d="M4 14v-1.5a4.5 4.5 0 0 1 4.5-4.5H16m-3.5-3.5L16 8l-3.5 3.5" />
  </Icon>
);

export const DownIcon = (): VNode => (
  <Icon>
    <path d="M10 4v11.5m-5-5 5 5 5-5" />
  </Icon>
);

export const SystemIcon = (): VNode => (
  <Icon>
    <path d="M3 4.5h14v9H3zM7.5 16.5h5" />
  </Icon>
);

export const LightIcon = (): VNode => (
  <Icon>
    <circle cx="10" cy="10" r="3.2" />
    <path d="M10 2.5v1.8m0 11.4v1.8m7.5-7.5h-1.8M4.3 10H2.5m12.8-5.3L14 6m-8 8-1.3 1.3m10.6 0L14 14M6 6 4.7 4.7" />
  </Icon>
);

export const DarkIcon = (): VNode => (
  <Icon>
    <path d="M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8z" />
  </Icon>
);
