// SPDX-License-Identifier: Apache-2.0
import {
  BorgeeSettings,
  describeSettings,
  HealthLimits,
  LedgerLimits,
  LinkLimits,
  ListenSettings,
  LogSettings,
  PathSettings,
  RetentionLimits,
  type SettingDescription,
  ShimSettings,
  TurnLimits,
} from '../src/config/index.js';

/** One table of the reference. */
interface Section {
  readonly title: string;
  readonly introduction: string;
  readonly settings: new () => object;
}

const PLATFORM_INTRODUCTION = [
  "These keys stand in the Hermes profile's `config.yaml`: in a block `borgee:` at top level, else in `platforms.borgee`, else in",
  '`gateway.platforms.borgee`, below `extra:`. The shim brings them to the bridge, which checks them and keeps the last ones that were valid.',
  'The block of the official Borgee plugin is read unchanged. `token` and `api_key` are refused: the agent key comes only from `BORGEE_API_KEY`.',
  'A key that is not known is named in the log and does nothing.',
].join('\n');

const SECTIONS: readonly Section[] = [
  { title: 'Chat server (platform block)', introduction: PLATFORM_INTRODUCTION, settings: BorgeeSettings },
  {
    title: 'Shim (platform block)',
    introduction: 'Keys of the same block that act inside Hermes; the bridge checks them all the same.',
    settings: ShimSettings,
  },
  { title: 'Service: files', introduction: 'Environment variables of the service.', settings: PathSettings },
  {
    title: 'Service: addresses',
    introduction: 'Environment variables of the service. Both listen on loopback only.',
    settings: ListenSettings,
  },
  { title: 'Service: log', introduction: 'Environment variable of the service.', settings: LogSettings },
  { title: 'Service: limits of the link', introduction: 'Environment variables of the service.', settings: LinkLimits },
  {
    title: 'Service: limits of the ledger',
    introduction: 'Environment variables of the service.',
    settings: LedgerLimits,
  },
  {
    title: 'Service: limits of turns',
    introduction: 'Environment variables of the service.',
    settings: TurnLimits,
  },
  {
    title: 'Service: retention',
    introduction:
      'Environment variables of the service. Only ended receipts are touched; [operations.md](operations.md) says what goes when.',
    settings: RetentionLimits,
  },
  {
    title: 'Service: health',
    introduction: 'Environment variables of the service.',
    settings: HealthLimits,
  },
];

const HEAD = `# Configuration

This page is generated from the classes in \`src/config\` by \`npm run docs\`; a test compares the two. A value that breaks its rule is refused
with an error that names the key and the rule.

Hermes itself must be set up so that \`group_sessions_per_user\` and \`thread_sessions_per_user\` are false at the top level, \`display.busy_input_mode\` is
\`queue\`, \`multiplex_profiles\` is off and \`plugins.enabled\` does not name \`borgee\`. The bridge checks what Hermes really uses and names the setting that is
wrong.

The agent key is read from \`BORGEE_API_KEY\`: the environment of the service, else that one name in the profile's \`.env\`, else the systemd credential of that
name. The two files are read again at SIGHUP.
`;

/** @returns the reference of all configuration keys, as it stands in docs/configuration.md (QLT-3) */
export function renderConfigDocs(): string {
  return [HEAD, ...SECTIONS.map(renderSection)].join('\n');
}

function renderSection({ title, introduction, settings }: Section): string {
  const rows = describeSettings(settings).map(
    (one) => `| \`${one.key}\` | ${one.description} | ${rule(one)} | ${defaultOf(one)} |`,
  );
  return [
    `## ${title}`,
    '',
    introduction,
    '',
    '| key | what it does | value | default |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function rule({ expected, unit }: SettingDescription): string {
  return unit === undefined ? expected : `${expected}; ${unit}`;
}

function defaultOf({ default: value, defaultText }: SettingDescription): string {
  if (defaultText !== undefined) return defaultText;
  if (value === undefined) return 'required';
  return value === '' ? 'empty' : `\`${JSON.stringify(value)}\``;
}
